import type { Issue } from '../../kit/refusal.ts';
import type { Start } from './backends.ts';
import type { Backend } from './stored-action.ts';

export interface BackendFieldsProps {
  readonly backend: Backend;
  readonly start: Start;
  readonly onChange: (backend: Backend) => void;
  /** The server's issues and unreadable expressions, with paths in the whole definition. */
  readonly issues: readonly Issue[];
  /** Reports invalid JSON in a field, which blocks saving. */
  readonly onProblem: (field: string, problem: string | undefined) => void;
}
