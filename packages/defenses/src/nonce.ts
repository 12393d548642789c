const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A code that content written before the trial cannot contain: 16 characters, 79 bits. */
export function nonceFrom(random: () => number): string {
  let nonce = '';
  for (let index = 0; index < 16; index += 1) {
    nonce += ALPHABET[Math.floor(random() * ALPHABET.length)] ?? 'a';
  }
  return nonce;
}

/** Takes a code out of a text, so that text which was marked once, stored and read again cannot close the marks. */
export function without(code: string): (text: string) => string {
  return (text) => (text.includes(code) ? text.replaceAll(code, '-') : text);
}
