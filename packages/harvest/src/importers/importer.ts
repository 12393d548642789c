import type { World } from '@pab/model';
import type { ReadOptions } from '../readers/read-rows.js';
import { type Place, type ReadItem, type RejectedRow, reject } from '../row.js';
import type { ByteSource } from '../source.js';
import type { Label, TextUnit, Unit } from '../unit.js';

/** What the caller says about columns, for sources without a form of their own. */
export interface ColumnOptions {
  readonly textColumn?: string;
  readonly labelColumn?: string;
  /** Values of the label column that mean attack, compared as text without case. */
  readonly positive?: readonly string[];
  /** Label of every row where there is no label column. */
  readonly label?: Label;
}

export interface ImportContext {
  readonly source: ByteSource;
  /** Other files that the command names, by name. */
  readonly others: readonly ByteSource[];
  readonly read: ReadOptions;
  readonly columns: ColumnOptions;
  readonly licence: string | null;
  /** Takes a world that comes in without scenarios. */
  readonly world: (world: World) => void;
  /** Told in words of what is no unit and was passed over, such as setup lines of a report. */
  readonly note: (text: string) => void;
}

/** The start of a source: its name and its first rows, read as plain rows. */
export interface Sample {
  readonly name: string;
  readonly rows: readonly unknown[];
}

/** Turns one public format into units. */
export interface Importer {
  /** As `--format` takes it. */
  readonly name: string;
  /** Where it comes from, for data cards. */
  readonly title: string;
  readonly url: string;
  /** Licence that the source states for a file of that name; `null` where it states none for all. */
  readonly licence: (file: string) => string | null;
  readonly recognises: (sample: Sample) => boolean;
  readonly units: (context: ImportContext) => AsyncIterable<Unit>;
}

/** `suites__main.data.jsonl.gz!a/b.json` gives `a/b`: what an id calls the file. */
export function stemOf(name: string): string {
  const last = name.slice(name.lastIndexOf('!') + 1);
  return last.replace(
    /(?:\.(?:jsonl?|ndjson|csv|tsv|tab|ya?ml|txt|parquet|gz|zip|tar|tgz))+$/iu,
    '',
  );
}

export interface TextDraft {
  readonly text: string;
  readonly label: Label | null;
  readonly reason?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Builds text units with running ids. */
export function textMaker(
  source: string,
  context: ImportContext,
): (draft: TextDraft, place: Place, notes?: readonly string[]) => TextUnit {
  const counts = new Map<string, number>();
  return ({ text, label, reason, meta = {} }, place, notes) => {
    const number = (counts.get(place.file) ?? 0) + 1;
    counts.set(place.file, number);
    return {
      kind: 'text',
      text: {
        id: `${source}/${stemOf(place.file)}/${number}`,
        text,
        label,
        source,
        ...(context.licence === null ? {} : { licence: context.licence }),
        ...(reason === undefined ? {} : { reason }),
        meta,
      },
      place,
      ...(notes === undefined ? {} : { notes }),
    };
  };
}

/** An importer that makes one text of every row, or refuses it with a reason. */
export function rowsToTexts(
  source: string,
  items: AsyncIterable<ReadItem>,
  context: ImportContext,
  draft: (value: unknown) => TextDraft | readonly TextDraft[] | string,
): AsyncGenerator<Unit> {
  const make = textMaker(source, context);
  return (async function* () {
    for await (const item of items) {
      if (item.kind === 'reject') {
        yield item;
        continue;
      }
      const made = draft(item.value);
      if (typeof made === 'string') yield refuse(item.place, made, item.value);
      else if (Array.isArray(made)) {
        for (const one of made as readonly TextDraft[]) yield make(one, item.place, item.notes);
      } else yield make(made as TextDraft, item.place, item.notes);
    }
  })();
}

export function refuse(place: Place, reason: string, value: unknown): RejectedRow {
  let shown = '';
  try {
    shown = typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    // A value that cannot be written as JSON is refused without an excerpt.
  }
  return reject(place, reason, shown);
}

/**
 * A file that belongs to the source: one of those that the command names, or one beside it. `names` are tried in
 * order, each as it is and behind the `prefix__` of flat copies.
 */
export async function companion(
  context: ImportContext,
  names: readonly string[],
): Promise<ByteSource | null> {
  for (const name of names) {
    const flat = name.replaceAll('/', '__');
    const named = context.others.find(
      (other) => other.name === name || other.name === flat || other.name.endsWith(`__${flat}`),
    );
    if (named !== undefined) return named;
  }
  for (const name of names) {
    const beside = (await context.source.sibling?.(name)) ?? null;
    if (beside !== null) return beside;
  }
  return null;
}
