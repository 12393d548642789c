import { hiddenText } from './hidden-text.js';
import { pairsOf } from './url-pieces.js';

// The pass code of a meeting looks like any value that is carried out, and its parameter is named for a secret. What
// tells them apart is where they go: only the operator of the service sees the address, whoever wrote it, and nobody
// can read there what others sent. That holds for these hosts and these forms of address, with nothing else in them.

interface Service {
  /** The name that is registered; one short label may stand before it. */
  readonly host: string;
  readonly path: RegExp;
  readonly parameters: Readonly<Record<string, RegExp>>;
}

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const SERVICES: readonly Service[] = [
  {
    host: 'zoom.us',
    path: /^\/[jws]\/\d{9,11}$/,
    parameters: { pwd: /^[\w-]{6,48}={0,2}(?:\.\d{1,2})?$/ },
  },
  {
    host: 'teams.microsoft.com',
    path: /^\/l\/meetup-join\/19(?::|%3a)meeting_[a-z0-9]{48,80}(?:@|%40)thread\.v2\/0$/i,
    parameters: { context: new RegExp(`^\\{"Tid":"${UUID}","Oid":"${UUID}"\\}$`, 'i') },
  },
  {
    host: 'webex.com',
    path: /^\/[\w-]{1,32}\/j\.php$/,
    parameters: { mtid: /^m[0-9a-f]{32}$/ },
  },
];

/** Whether an address only invites to a meeting, at a service that keeps what is sent to it to itself. */
export function isInvitation(url: URL): boolean {
  const service = SERVICES.find(
    ({ host }) =>
      url.hostname === host ||
      (url.hostname.endsWith(`.${host}`) &&
        /^[a-z0-9-]{1,20}$/.test(url.hostname.slice(0, -host.length - 1))),
  );
  if (service === undefined || url.protocol !== 'https:' || url.port !== '') return false;
  if (url.username + url.password !== '' || !/^(?:#success)?$/.test(url.hash)) return false;
  if (!service.path.test(url.pathname)) return false;
  const given = url.search.length > 1 ? pairsOf(url.search.slice(1)) : [];
  const names = new Set(given.map(({ name }) => name));
  if (names.size !== given.length) return false;
  return given.every(({ name, value }) => {
    const shape = Object.hasOwn(service.parameters, name) ? service.parameters[name] : undefined;
    // A pass code may be base64 of base64, but not of words.
    return shape?.test(value) === true && !/[^\w+/=-]/.test(hiddenText(value) ?? '');
  });
}
