import { Alert, Stack } from '@mantine/core';
import { AnchorLink } from '../../frame/links.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
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
      again={t('Import another table')}
      onNewer={onNewer}
      onAgain={onAgain}
    >
      <Alert color="green" title={t('The table was imported')} role="status">
        <Sentence
          text="<link>See the blueprint</link> or find the entities in the catalog."
          parts={{
            link: (
              <AnchorLink to="/builder/data-model/$blueprint" params={{ blueprint: choice.blueprint.identifier }} />
            ),
          }}
        />
      </Alert>
      <Stack gap="lg">
        <RowFigures result={result} isPlan={false} />
        <RefusedRows table={opened.table} result={result} />
      </Stack>
    </KeptSource>
  );
}
