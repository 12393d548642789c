/** Bounds that hostile input cannot pass. Sizes are bytes unless said otherwise. */
export interface ReadLimits {
  /** One row, in characters. */
  readonly row: number;
  /** A document that is read whole: YAML, one JSON value, a Parquet file or zip inside an archive. */
  readonly document: number;
  /** All that comes out of one compressed container. */
  readonly expanded: number;
  /** Times that a container may grow, once more than 64 MB have come out. */
  readonly ratio: number;
  /** Members of one archive. */
  readonly members: number;
  /** Containers inside containers. */
  readonly nesting: number;
}

export const DEFAULT_LIMITS: ReadLimits = {
  row: 64 * 1024 * 1024,
  document: 256 * 1024 * 1024,
  expanded: 64 * 1024 * 1024 * 1024,
  ratio: 200,
  members: 200_000,
  nesting: 3,
};
