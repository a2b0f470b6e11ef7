/** The fields of a user that rules look at. */
export interface PersonState {
  readonly identifier: string;
  readonly title: string | null;
  readonly status: string;
  readonly role: string;
  readonly type: string;
  readonly moderatedBlueprints: readonly string[];
}

/** A user with the keys of their teams. */
export interface Person extends PersonState {
  readonly teamKeys: readonly string[];
}

/** The new state of a team. */
export interface NamedTeam {
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
}
