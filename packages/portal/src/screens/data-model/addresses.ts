/** The address of the editor of a blueprint. */
export function blueprintAddress(identifier: string): string {
  return `/builder/data-model/${encodeURIComponent(identifier)}`;
}
export function migrateDataAddress(identifier: string): string {
  return `${blueprintAddress(identifier)}/migrate-data`;
}
export function permissionsAddress(identifier: string): string {
  return `${blueprintAddress(identifier)}/permissions`;
}
