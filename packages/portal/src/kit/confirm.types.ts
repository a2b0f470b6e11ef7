import type { ReactNode } from 'react';

export interface Question {
  /** Names the thing and the count: "Delete 1,204 clusters". */
  readonly title: string;
  readonly consequence: ReactNode;
  /** The verb on the button. */
  readonly verb: string;
  /** Text that the user has to type, for more than a hundred things or a whole blueprint. */
  readonly typed?: string;
  readonly isDangerous?: boolean;
  /** What is sent after a yes, for journeys that look at what is offered to whom. */
  readonly operation?: string;
  /** For a consequence that compares two versions. */
  readonly isWide?: boolean;
}
