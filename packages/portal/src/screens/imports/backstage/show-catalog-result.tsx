import { Alert } from '@mantine/core';
import { AnchorLink } from '../../../frame/links.tsx';
import { Sentence } from '../../../kit/sentence.tsx';
import { t } from '../../../kit/translate.ts';
import { KeptSource } from '../kept-source.tsx';
import type { AppliedCatalog, PlannedCatalog } from './catalog-steps.ts';
import { CatalogFigures, CatalogProblems, Owners, toRefusals } from './catalog-told.tsx';

/** The last step: what was written and who owns it, and the ways back and on. */
export function ShowCatalogResult({
  planned,
  applied: { sent, source },
  onNewer,
  onAgain,
}: {
  planned: PlannedCatalog;
  applied: AppliedCatalog;
  onNewer: () => void;
  onAgain: () => void;
}) {
  const { created, changed, unchanged, refused } = sent;
  return (
    <KeptSource
      source={source}
      importId={sent.import}
      again={t('Import other files')}
      onNewer={onNewer}
      onAgain={onAgain}
    >
      <Alert color="green" title={t('The catalog was imported')} role="status">
        <Sentence
          text="<link>Go home</link> to see what is yours, or find the entities in the catalog."
          parts={{ link: <AnchorLink underline="always" to="/" /> }}
        />
      </Alert>
      <CatalogFigures figures={{ Created: created, Changed: changed, Unchanged: unchanged, Refused: refused }} />
      <Owners plan={planned.plan} />
      <CatalogProblems problems={[...planned.files.problems, ...planned.plan.problems, ...toRefusals(planned, sent)]} />
    </KeptSource>
  );
}
