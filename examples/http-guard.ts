/**
 * Guards a chat endpoint in Hono or Express: a request whose prompt is malicious is answered with 400 and does
 * not reach the model.
 *
 *     import { Scanner } from '@pab/detect';
 *
 *     app.post('/chat', honoGuard(new Scanner(), 'message'), (c) => …);      // Hono
 *     app.post('/chat', express.json(), expressGuard(new Scanner(), 'message'), (req, res) => …);
 */
import type { Scan, TextScanner } from './guard.js';

type PromptScanner = Pick<TextScanner, 'scan'>;

interface HonoContext {
  readonly req: { json(): Promise<unknown> };
  json(body: object, status: 400): Response;
}

interface ExpressRequest {
  readonly body?: unknown;
}
interface ExpressResponse {
  status(code: number): { json(body: object): unknown };
}

/** The scan of one field of a body; `undefined` when the field is not a text. */
function scanField(scanner: PromptScanner, body: unknown, field: string): Scan | undefined {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, field)) return undefined;
  const value: unknown = Reflect.get(body, field);
  return typeof value === 'string' ? scanner.scan(value) : undefined;
}

/** What the client learns: no rule and no score, which would help to get around them. */
const REJECTED = { error: 'The message was rejected.' };
const UNREADABLE = { error: 'The message cannot be read.' };

export function honoGuard(scanner: PromptScanner, field: string) {
  return async (c: HonoContext, next: () => Promise<void>): Promise<Response | undefined> => {
    // Hono keeps the parsed body, so the handler can read it again.
    const body = await c.req.json().catch(() => undefined);
    const scan = scanField(scanner, body, field);
    if (scan === undefined) return c.json(UNREADABLE, 400);
    if (scan.verdict === 'malicious') return c.json(REJECTED, 400);
    await next();
    return undefined;
  };
}

export function expressGuard(scanner: PromptScanner, field: string) {
  return (request: ExpressRequest, response: ExpressResponse, next: () => void): void => {
    const scan = scanField(scanner, request.body, field);
    if (scan === undefined) response.status(400).json(UNREADABLE);
    else if (scan.verdict === 'malicious') response.status(400).json(REJECTED);
    else next();
  };
}
