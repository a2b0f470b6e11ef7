import type { Issue } from '../../kit/refusal.ts';
import type { Draft } from './automation-draft.ts';

/** What every section of the editor receives. */
export interface EditorProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** The server's issues and unreadable expressions. */
  readonly issues: readonly Issue[];
  /** Reports invalid JSON in a field, which blocks saving. */
  readonly onProblem: (field: string, problem: string | undefined) => void;
}
