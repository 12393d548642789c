import { createHash, timingSafeEqual } from 'node:crypto';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Whether an `Authorization` header carries the token; takes the same time whatever it carries. */
export function bearerMatches(header: string | undefined, token: string): boolean {
  const found = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(found), digest(token)) && found !== '';
}
