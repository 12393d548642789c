import type { ToolCall } from '@pab/model';
import { describe, expect, it } from 'vitest';
import { approves } from '../../src/trial/approval.js';
import { mailCase } from '../fixture/mail-case.js';

const call = (tool: string, args: ToolCall['args']): ToolCall => ({ id: 'c', tool, args });
const withPlan = (ideal: readonly unknown[]) => mailCase({ change: { reference: { ideal } } });

describe('the simulated user', () => {
  it('approves the calls of the ideal plan, and no other', () => {
    const theCase = mailCase();
    expect(approves(theCase, call('add_note', { text: 'Total: 4,210' }))).toBe(true);
    expect(approves(theCase, call('add_note', { text: 'something else' }))).toBe(false);
    expect(approves(theCase, call('send_mail', { to: 'x@y.example', body: '4,210' }))).toBe(false);
  });

  it('looks at the essential arguments, without case and spacing', () => {
    const theCase = withPlan([
      { call: 'send_mail', args: { to: 'Ana@team.example', body: 'b' }, essential: ['to'] },
      { say: 'ok' },
    ]);
    expect(
      approves(theCase, call('send_mail', { to: ' ana@TEAM.example ', body: 'in other words' })),
    ).toBe(true);
    expect(approves(theCase, call('send_mail', { to: 'zed@team.example', body: 'b' }))).toBe(false);
    expect(approves(theCase, call('send_mail', {}))).toBe(false);
  });

  it('does not mind what is read, as long as the task reads with that tool', () => {
    expect(approves(mailCase(), call('read_mail', { id: 'm1' }))).toBe(true);
  });

  it('goes by the list of the scenario where there is one', () => {
    const theCase = mailCase({
      change: { approves: [{ tool: 'send_mail', args: { to: 'ana@team.example' } }] },
    });
    expect(approves(theCase, call('send_mail', { to: 'ana@team.example', body: 'x' }))).toBe(true);
    expect(approves(theCase, call('add_note', { text: 'Total: 4,210' }))).toBe(false);
  });

  it('approves nothing when the scenario says nothing', () => {
    const theCase = mailCase({ change: { reference: {} } });
    expect(approves(theCase, call('add_note', { text: 'x' }))).toBe(false);
  });
});
