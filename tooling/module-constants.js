import { parseSync } from 'vite';

/**
 * The names that something is assigned to after they are declared, wherever that is: a name of an inner scope keeps the
 * outer one of the same name a variable, which loses little.
 *
 * @param {unknown} node
 * @param {Set<string>} names
 * @returns {Set<string>}
 */
function assigned(node, names) {
  if (Array.isArray(node)) for (const one of node) assigned(one, names);
  else if (typeof node === 'object' && node !== null) {
    const { type, left, argument } = /** @type {Record<string, unknown>} */ (node);
    if (type === 'AssignmentExpression' || type === 'ForInStatement' || type === 'ForOfStatement')
      bound(left, names);
    if (type === 'UpdateExpression') bound(argument, names);
    for (const part of Object.values(node)) assigned(part, names);
  }
  return names;
}

/**
 * Adds every name of a pattern.
 *
 * @param {unknown} node
 * @param {Set<string>} names
 */
function bound(node, names) {
  if (Array.isArray(node)) for (const one of node) bound(one, names);
  else if (typeof node === 'object' && node !== null) {
    const { type, name } = /** @type {Record<string, unknown>} */ (node);
    if (type === 'Identifier' && typeof name === 'string') names.add(name);
    for (const part of Object.values(node)) bound(part, names);
  }
}

/**
 * Makes constants of the variables of a module that nothing is assigned to. esbuild writes `var` for every `const` of a
 * module; V8 compiles what it knows to be constant into the code that uses it, and reads a variable each time. A
 * declaration keeps its length, so that source maps hold.
 *
 * @param {string} code
 * @returns {string}
 */
export function withConstants(code) {
  const { body } = parseSync('module.js', code).program;
  const changed = assigned(body, new Set());
  let out = '';
  let from = 0;
  for (const node of body) {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'var') continue;
    const [only] = node.declarations;
    if (node.declarations.length !== 1 || only?.id.type !== 'Identifier') continue;
    const { name } = only.id;
    const written = `var ${name} = `;
    if (changed.has(name) || !code.startsWith(written, node.start)) continue;
    out += `${code.slice(from, node.start)}const ${name}=`;
    from = node.start + written.length;
  }
  return out + code.slice(from);
}

/** For `plugins` of tsup. */
export const moduleConstants = {
  name: 'module-constants',
  /** @param {string} code */
  renderChunk: (code) => ({ code: withConstants(code) }),
};
