import { Alert, Stack } from '@mantine/core';
import { AnchorLink } from '../../frame/links.tsx';
import type { AppliedImport, ColumnChoice, OpenedTable } from './import-steps.ts';
import { KeptSource } from './kept-source.tsx';
import { RefusedRows, RowFigures } from './rows-told.tsx';

/** The last step: what was written, and the ways back and on. */
export function ShowResult({
  opened,
  choice,
  applied: { result, source },
  onNewer,
  onAgain,
}: {
  opened: OpenedTable;
  choice: ColumnChoice;
  applied: AppliedImport;
  /** Uploads a newer file of the same source. */
  onNewer: () => void;
  onAgain: () => void;
}) {
  return (
    <KeptSource
      source={source}
      importId={result.import}
      again="Import another table"
      onNewer={onNewer}
      onAgain={onAgain}
    >
      <Alert color="green" title="The table was imported" role="status">
        <AnchorLink to="/builder/data-model/$blueprint" params={{ blueprint: choice.blueprint.identifier }}>
          See the blueprint
        </AnchorLink>{' '}
        or find the entities in the catalog.
      </Alert>
      <Stack gap="lg">
        <RowFigures result={result} isPlan={false} />
        <RefusedRows table={opened.table} result={result} />
      </Stack>
    </KeptSource>
  );
}
