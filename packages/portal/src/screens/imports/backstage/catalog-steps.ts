import type { CatalogPlan, FoundDocument, Problem } from '@portolan/backstage';
import type { Source } from '@portolan/contract/sources';
import type { SentImport, WireProblem } from '@portolan/tables';
import { t } from '../../../kit/translate.ts';

/** What the chosen files hold. */
export interface ReadFiles {
  readonly name: string;
  readonly documents: readonly FoundDocument[];
  readonly problems: readonly Problem[];
  readonly filesRead: number;
}

/** What the server did, or would do, with the entities. */
export interface SentCatalog extends SentImport {
  readonly refusals: readonly WireProblem[];
}

export interface PlannedCatalog {
  readonly files: ReadFiles;
  readonly plan: CatalogPlan;
  /** What the server says of it; undefined where blueprints have to be made or extended first. */
  readonly checked: SentCatalog | undefined;
}

export interface AppliedCatalog {
  readonly sent: SentCatalog;
  readonly source: Source;
}

export type CatalogStep =
  | { readonly kind: 'files' }
  | { readonly kind: 'plan'; readonly planned: PlannedCatalog }
  | { readonly kind: 'result'; readonly planned: PlannedCatalog; readonly applied: AppliedCatalog };

export const catalogStepNames: Readonly<Record<CatalogStep['kind'], string>> = {
  files: t('Files'),
  plan: t('Plan'),
  result: t('Result'),
};

/** What the model of the organization lacks, by what has to be done. */
export function listModelChanges({ model }: CatalogPlan, existing: ReadonlySet<string>) {
  const create = model.filter(({ identifier }) => !existing.has(identifier));
  const extend = model.filter(
    ({ identifier, body }) =>
      existing.has(identifier) &&
      Object.keys(body.schema?.properties ?? {}).length + Object.keys(body.relations ?? {}).length > 0,
  );
  return { create, extend };
}
