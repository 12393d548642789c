// An OpenAI-compatible endpoint on loopback for one small model in this process: POST /v1/chat/completions, not streamed, greedy,
// one request at a time. README.md says how tools are shown to the model and how calls are read from its text.
//
//   node server.mjs --modules FOLDER --model FILE.gguf --calls free|grammar [--port 0]
//
// Prints `listening on http://127.0.0.1:PORT/v1` when it can be asked.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { callGrammar, renderChat } from './chat-template.mjs';
import { readReply } from './read-reply.mjs';

const { values } = parseArgs({
  options: {
    modules: { type: 'string' },
    model: { type: 'string' },
    name: { type: 'string', default: 'smollm2-135m-instruct' },
    calls: { type: 'string', default: 'free' },
    context: { type: 'string', default: '4096' },
    threads: { type: 'string', default: '1' },
    port: { type: 'string', default: '0' },
  },
});
if (values.modules === undefined || values.model === undefined) {
  throw new Error('name the folder that has node-llama-cpp (--modules) and the model (--model)');
}
if (values.calls !== 'free' && values.calls !== 'grammar') {
  throw new Error('--calls is free or grammar');
}

// The engine lives in a folder of its own, outside the workspace.
const resolver = createRequire(join(values.modules, 'package.json'));
const { getLlama, LlamaGrammarEvaluationState } = await import(
  pathToFileURL(resolver.resolve('node-llama-cpp')).href
);
const llama = await getLlama({ build: 'never', gpu: false, progressLogs: false });
const model = await llama.loadModel({ modelPath: values.model });
const contextSize = Number(values.context);
// Several sequences, so that conversations over the same tools share what was read of them.
const SEQUENCES = 6;
const context = await model.createContext({
  contextSize,
  sequences: SEQUENCES,
  // More threads than free cores make this many times slower: they wait for each other.
  threads: Number(values.threads),
});
const slots = Array.from({ length: SEQUENCES }, () => ({
  sequence: context.getSequence(),
  used: 0,
}));
const grammars = new Map();
let clock = 0;

/** The sequence that has read most of this prompt already; of equals the one that was not used for longest. */
function slotFor(tokens) {
  const common = ({ sequence }) => sequence.compareContextTokens(tokens).firstDifferentIndex;
  return slots
    .map((slot) => ({ slot, kept: common(slot) }))
    .toSorted((a, b) => b.kept - a.kept || a.slot.used - b.slot.used)
    .map(({ slot }) => slot)[0];
}

async function grammarFor(tools) {
  const key = JSON.stringify(tools);
  const held = grammars.get(key);
  if (held !== undefined) return held;
  const made = await llama.createGrammarForJsonSchema(callGrammar(tools));
  grammars.set(key, made);
  return made;
}

/** Ordinary text never becomes a control token, so that no payload can close its own message. */
function tokenize(pieces) {
  return pieces.flatMap(({ control, text }) => model.tokenize(text, control));
}

class RequestError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

async function complete({ messages, tools = [], max_tokens: most = 200 }) {
  const tokens = tokenize(renderChat(messages, tools));
  if (tokens.length + most > contextSize) {
    throw new RequestError(
      'context_length_exceeded',
      `the prompt has ${tokens.length} tokens and ${most} may follow; the context holds ${contextSize}`,
    );
  }
  const slot = slotFor(tokens);
  clock += 1;
  slot.used = clock;
  const { sequence } = slot;
  const { firstDifferentIndex } = sequence.compareContextTokens(tokens);
  // The last token is always read anew: the reply begins after it.
  const kept = Math.min(firstDifferentIndex, tokens.length - 1);
  if (sequence.nextTokenIndex > kept) {
    await sequence.eraseContextTokenRanges([{ start: kept, end: sequence.nextTokenIndex }]);
  }
  const constrained = values.calls === 'grammar' && tools.length > 0;
  const options = constrained
    ? {
        temperature: 0,
        grammarEvaluationState: new LlamaGrammarEvaluationState({
          model,
          grammar: await grammarFor(tools),
        }),
      }
    : { temperature: 0 };
  const out = [];
  let ended = false;
  for await (const token of sequence.evaluate(tokens.slice(kept), options)) {
    if (model.isEogToken(token)) {
      ended = true;
      break;
    }
    out.push(token);
    if (out.length >= most) break;
  }
  const { content, calls } = readReply(model.detokenize(out), tools);
  return {
    object: 'chat.completion',
    model: values.name,
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : ended ? 'stop' : 'length',
        message: {
          role: 'assistant',
          content: content === '' && calls.length > 0 ? null : content,
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ name, args }, index) => ({
                  id: `call_${clock}_${index}`,
                  type: 'function',
                  function: { name, arguments: args },
                })),
              }),
        },
      },
    ],
    usage: {
      prompt_tokens: tokens.length,
      completion_tokens: out.length,
      total_tokens: tokens.length + out.length,
    },
  };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

// One at a time: each waits for the one before it.
let last = Promise.resolve();
function inTurn(work) {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}

const server = createServer(async (request, response) => {
  const answer = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    answer(404, { error: { message: 'only POST /v1/chat/completions is served' } });
    return;
  }
  try {
    const body = await bodyOf(request);
    answer(200, await inTurn(() => complete(body)));
  } catch (error) {
    const known = error instanceof RequestError;
    answer(known ? 400 : 500, {
      error: { message: error.message, ...(known ? { code: error.code } : {}) },
    });
  }
});
// Reading a long prompt on a busy machine takes longer than the defaults allow.
server.requestTimeout = 0;
server.headersTimeout = 0;
server.listen(Number(values.port), '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    process.exit(0);
  });
}
