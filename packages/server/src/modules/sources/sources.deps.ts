import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { SecretScope } from '../../platform/secrets/secret-scope.ts';
import type { BlueprintsDeps } from '../blueprints/index.ts';
import type { ImportsDeps } from './imports/imports.deps.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { SourceType } from './source-type.ts';

export interface SourcesDeps extends ImportsDeps {
  readonly outgoing: Outgoing;
  readonly secrets: {
    readonly sealer: {
      seal(orgId: string, purpose: string, value: string): string;
      open(orgId: string, purpose: string, sealed: string, opened: SecretScope): string;
    };
  };
  readonly publicUrl: () => string;
  readonly blueprints: BlueprintsDeps;
  /** What hosts answered before, by the scope of who may use it. */
  readonly answersOf: (scope: string) => KeptAnswers;
  /** Every kind of source that can be saved, by its type. */
  readonly types: ReadonlyMap<string, SourceType>;
}
