import type { Issue } from '../../kit/refusal.ts';
import type { Blueprint, Draft } from './blueprint-draft.ts';

/** What every tab of the editor receives. */
export interface TabProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly issues: readonly Issue[];
  readonly blueprints: readonly Blueprint[];
  /** The stored version. */
  readonly saved: Blueprint;
  readonly isDirty: boolean;
}
