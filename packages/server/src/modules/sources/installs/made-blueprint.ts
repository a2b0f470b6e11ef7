import type { PlannedBlueprint } from '@portolan/contract/installs';

/** What an install did to a blueprint. */
export interface MadeBlueprint extends PlannedBlueprint {
  /** The version after the install, by which a removal sees whether somebody changed it; only of created ones. */
  readonly version?: number;
}
