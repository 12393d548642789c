// Writes a real, tiny text classifier (bag of words) as a model folder: model.onnx, tokenizer.json, tokenizer_config.json,
// config.json. It is for tests of PB-TF, and no detector to rely on. The same bytes come out each time.
//
//   node scripts/make-tiny-model.js FOLDER
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
/** What a word adds to the logit of an attack; every other word adds nothing. */
const WORDS = /** @type {const} */ ({
  bypass: 1.5,
  disregard: 2,
  forget: 1,
  garden: -1,
  hidden: 1,
  ignore: 2,
  instructions: 1,
  meeting: -1,
  override: 1.5,
  password: 1,
  please: -0.5,
  previous: 1,
  prompt: 1,
  recipe: -1,
  reveal: 1.5,
  secret: 1,
  summary: -0.5,
  system: 0.5,
  thanks: -1,
  weather: -1,
});
const BIAS = -3;
const LABELS = ['SAFE', 'INJECTION'];
const MOST_TOKENS = 64;

/** @param {number} value */
function varint(value) {
  const bytes = [];
  let left = value;
  while (left > 127) {
    bytes.push((left & 127) | 128);
    left = Math.floor(left / 128);
  }
  return [...bytes, left];
}

/** @typedef {[field: number, value: number | string | Uint8Array]} Field a protobuf field: a whole number, or bytes */

/**
 * One protobuf message.
 *
 * @param {Field[]} fields
 */
function message(...fields) {
  const bytes = fields.flatMap(([field, value]) => {
    if (typeof value === 'number') return [...varint(field * 8), ...varint(value)];
    const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    return [...varint(field * 8 + 2), ...varint(content.length), ...content];
  });
  return Uint8Array.from(bytes);
}

const FLOAT = 1;
const INT64 = 7;

/**
 * @param {string} name
 * @param {number[]} dims
 * @param {number} type
 * @param {ArrayBuffer} data
 */
function tensor(name, dims, type, data) {
  return message(
    ...dims.map((dim) => /** @type {Field} */ ([1, dim])),
    [2, type],
    [8, name],
    [9, new Uint8Array(data)],
  );
}

/**
 * @param {string} name
 * @param {number[]} dims
 * @param {number[]} values
 */
function floats(name, dims, values) {
  const data = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) data.setFloat32(index * 4, value, true);
  return tensor(name, dims, FLOAT, data.buffer);
}

/**
 * @param {string} name
 * @param {number[]} values
 */
function integers(name, values) {
  const data = new DataView(new ArrayBuffer(values.length * 8));
  for (const [index, value] of values.entries()) data.setBigInt64(index * 8, BigInt(value), true);
  return tensor(name, [values.length], INT64, data.buffer);
}

/**
 * @param {string} operator
 * @param {string[]} inputs
 * @param {string} output
 * @param {Record<string, number>} [attributes]
 */
function node(operator, inputs, output, attributes = {}) {
  return message(
    ...inputs.map((input) => /** @type {Field} */ ([1, input])),
    [2, output],
    [3, output],
    [4, operator],
    ...Object.entries(attributes).map(
      ([name, value]) => /** @type {Field} */ ([5, message([1, name], [3, value], [20, 2])]),
    ),
  );
}

/**
 * @param {string} name
 * @param {number} type
 * @param {(string | number)[]} dims a string names a length that is open
 */
function port(name, type, dims) {
  const shape = message(
    ...dims.map(
      (dim) => /** @type {Field} */ ([1, message([typeof dim === 'number' ? 1 : 2, dim])]),
    ),
  );
  return message([1, name], [2, message([1, message([1, type], [2, shape])])]);
}

/** The logits of both labels: the sum of the weights of the words that are not padding. */
export function tinyModel() {
  const weights = [...SPECIAL.map(() => 0), ...Object.values(WORDS)].flatMap((weight) => [
    0,
    weight,
  ]);
  const graph = message(
    [1, node('Gather', ['weights', 'input_ids'], 'each', { axis: 0 })],
    [1, node('Cast', ['attention_mask'], 'mask', { to: FLOAT })],
    [1, node('Unsqueeze', ['mask', 'last'], 'column')],
    [1, node('Mul', ['each', 'column'], 'kept')],
    [1, node('ReduceSum', ['kept', 'tokens'], 'sum', { keepdims: 0 })],
    [1, node('Add', ['sum', 'bias'], 'logits')],
    [2, 'bag of words'],
    [5, floats('weights', [weights.length / 2, 2], weights)],
    [5, floats('bias', [2], [0, BIAS])],
    [5, integers('last', [2])],
    [5, integers('tokens', [1])],
    [11, port('input_ids', INT64, ['batch', 'sequence'])],
    [11, port('attention_mask', INT64, ['batch', 'sequence'])],
    [12, port('logits', FLOAT, ['batch', LABELS.length])],
  );
  return message([1, 8], [2, 'make-tiny-model'], [7, graph], [8, message([2, 13])]);
}

/** @param {string} id */
const special = (id) => ({ SpecialToken: { id, type_id: 0 } });

/** A tokenizer of whole words in lower case. */
export function tinyTokenizer() {
  const vocab = Object.fromEntries(
    [...SPECIAL, ...Object.keys(WORDS)].map((word, id) => [word, id]),
  );
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
      pair: [],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [vocab[id]], tokens: [id] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/** @param {unknown} content */
const json = (content) => `${JSON.stringify(content, null, 1)}\n`;

/** All files of the folder. */
export function tinyFolder() {
  return {
    'model.onnx': tinyModel(),
    'tokenizer.json': json(tinyTokenizer()),
    'tokenizer_config.json': json({ model_max_length: MOST_TOKENS, unk_token: '[UNK]' }),
    'config.json': json({ id2label: Object.fromEntries(LABELS.map((label, id) => [id, label])) }),
  };
}

const [, script, folder] = process.argv;
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url)) {
  if (folder === undefined) throw new Error('name the folder to write to');
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(tinyFolder())) {
    writeFileSync(join(folder, name), content);
  }
}
