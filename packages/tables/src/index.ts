/** Tables as entities, in browsers, on the command line and in the server alike: no input or output of its own. */
export {
  type Column,
  type DateOrder,
  findTarget,
  listTargets,
  type TableBlueprint,
  type TableProperty,
  targetPath,
} from './columns/column.ts';
export { guessColumns, matchColumns } from './columns/guess-columns.ts';
export { slug } from './columns/identifiers.ts';
export { type KeptTable, keptColumns } from './columns/kept-columns.ts';
export { type MadeBlueprint, makeBlueprint } from './columns/make-blueprint.ts';
export { type ColumnPlan, createRowMapper, type EntityLine, type MappedRow } from './columns/map-rows.ts';
export { previewColumn, type ValuePreview } from './columns/preview-column.ts';
export { type ColumnProfile, profileColumns } from './columns/profile-columns.ts';
export { createReferenceResolver, type FindEntities, findBySearch } from './columns/resolve-references.ts';
export { openTable } from './read/open-table.ts';
export { type CsvForm, type CsvStream, continueCsv, openCsvStream, type StreamedRow } from './read/stream-csv.ts';
export { writeRefusedRows } from './refused-rows.ts';
export { importTable, type TableImport, type TableResult } from './send/import-table.ts';
export {
  type ImportPart,
  type ImportQuery,
  type ImportServer,
  isPassingAnswer,
  type WireCounts,
  type WireProblem,
} from './send/import-wire.ts';
export { type SentImport, sendLines } from './send/send-lines.ts';
export {
  encodings,
  type ReadOptions,
  type RowProblem,
  type Table,
  TableError,
  type TableFile,
  tableFormats,
} from './table.ts';
