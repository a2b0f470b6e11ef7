/** Whether users and teams of the organization are blueprints: owners are known by identifier, and said by `ownership`. */
export function hasTeamsAsBlueprints({ featureFlags }: { readonly featureFlags?: unknown }): boolean {
  return Array.isArray(featureFlags) && featureFlags.includes('USERS_AND_TEAMS_OWNERSHIP_V2');
}
