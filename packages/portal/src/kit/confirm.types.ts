import type { ReactNode } from 'react';

export interface Question {
  /** Names what it is about and how many: "Delete 1,204 clusters". */
  readonly title: string;
  /** What follows from it. */
  readonly consequence: ReactNode;
  /** The verb on the button. */
  readonly verb: string;
  /** Has to be typed, for more than a hundred things or a whole blueprint. */
  readonly typed?: string;
  readonly isDangerous?: boolean;
  /** Where what follows is to be compared. */
  readonly isWide?: boolean;
}
