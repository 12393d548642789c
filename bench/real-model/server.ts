// An OpenAI-compatible endpoint on loopback for one small model in this process: POST /v1/chat/completions, not streamed.
//
//   node --import tsx server.ts --engine FOLDER --model FILE.gguf --calls free|grammar
//
// Prints `listening on http://127.0.0.1:PORT/v1` when it can be asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { type Completion, createCompleter, TooLong } from './completion.js';
import type { WireRequest } from './wire.js';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: '.' },
    model: { type: 'string', default: 'model.gguf' },
    name: { type: 'string', default: 'smollm2-135m-instruct' },
    calls: { type: 'string', default: 'grammar' },
    context: { type: 'string', default: '4096' },
    // More threads than free cores make it many times slower: they wait for each other.
    threads: { type: 'string', default: '1' },
    port: { type: 'string', default: '0' },
  },
});

const complete = await createCompleter({
  engine: values.engine,
  model: values.model,
  calls: values.calls === 'free' ? 'free' : 'grammar',
  contextSize: Number(values.context),
  threads: Number(values.threads),
});

let answered = 0;

function wireCompletion({
  content,
  calls,
  finish,
  promptTokens,
  completionTokens,
}: Completion): unknown {
  answered += 1;
  return {
    id: `reply_${answered}`,
    object: 'chat.completion',
    model: values.name,
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : finish,
        message: {
          role: 'assistant',
          content: content === '' && calls.length > 0 ? null : content,
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ name, args }, index) => ({
                  id: `call_${answered}_${index}`,
                  type: 'function',
                  function: { name, arguments: args },
                })),
              }),
        },
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as WireRequest;
}

// One at a time: each waits for the one before it.
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  return mine;
}

async function answer(
  request: IncomingMessage,
): Promise<{ readonly status: number; readonly body: unknown }> {
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    const message = 'only POST /v1/chat/completions is served';
    return { status: 404, body: { error: { message } } };
  }
  try {
    const body = await bodyOf(request);
    return { status: 200, body: wireCompletion(await inTurn(() => complete(body))) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof TooLong)) return { status: 500, body: { error: { message } } };
    return { status: 400, body: { error: { message, code: 'context_length_exceeded' } } };
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(request);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  void respond(request, response);
});
// Reading a long prompt on a busy machine takes longer than the defaults allow.
server.requestTimeout = 0;
server.headersTimeout = 0;
server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`listening on http://127.0.0.1:${port ?? 0}/v1\n`);
});
