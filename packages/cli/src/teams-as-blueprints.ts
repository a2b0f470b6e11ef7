/** Whether users and teams are entities, so that owners are identifiers and blueprints use `ownership`. */
export function hasTeamsAsBlueprints({ featureFlags }: { readonly featureFlags?: unknown }): boolean {
  return Array.isArray(featureFlags) && featureFlags.includes('USERS_AND_TEAMS_OWNERSHIP_V2');
}
