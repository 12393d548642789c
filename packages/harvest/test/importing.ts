import type { ByteSource, ImportContext, Importer, Unit } from '../src/index.js';
import { bytesSource, chooseImporter } from '../src/index.js';
import { parquetReader } from '../src/parquet.js';
import { collect } from './reading.js';

export interface Imported {
  readonly importer: Importer;
  readonly units: readonly Unit[];
  readonly worlds: readonly unknown[];
  readonly notes: readonly string[];
}

/** Imports a source as `harvest` does, without writing anything. `beside` stands in the same folder. */
export async function importSource(
  source: ByteSource,
  beside: Readonly<Record<string, string>> = {},
  options: Partial<ImportContext> & { readonly format?: string } = {},
): Promise<Imported> {
  const { format, ...rest } = options;
  const read = { parquet: parquetReader };
  const importer = await chooseImporter(source, format, read);
  const worlds: unknown[] = [];
  const notes: string[] = [];
  const units = await collect(
    importer.units({
      source,
      others: Object.entries(beside).map(([name, content]) => bytesSource(name, content)),
      read,
      columns: {},
      licence: importer.licence(source.name),
      world: (world) => worlds.push(world),
      note: (text) => notes.push(text),
      ...rest,
    }),
  );
  return { importer, units, worlds, notes };
}

export function importText(
  name: string,
  content: unknown,
  beside?: Readonly<Record<string, string>>,
  options?: Partial<ImportContext> & { readonly format?: string },
): Promise<Imported> {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return importSource(bytesSource(name, text), beside, options);
}

/** `label text` of texts, `scenario id` of scenarios, `reject reason` of rejects. */
export function shown(units: readonly Unit[]): string[] {
  return units.map((unit) => {
    switch (unit.kind) {
      case 'text':
        return `${unit.text.label ?? 'unknown'}: ${unit.text.text}`;
      case 'scenario':
        return `scenario: ${unit.scenario.id}`;
      case 'reject':
        return `reject: ${unit.reason}`;
      default:
        return unit satisfies never;
    }
  });
}
