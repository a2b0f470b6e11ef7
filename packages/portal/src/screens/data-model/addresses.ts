import { linkOptions } from '@tanstack/react-router';

export function blueprintAddress(identifier: string) {
  return linkOptions({ to: '/builder/data-model/$blueprint', params: { blueprint: identifier } });
}

export function migrateDataAddress(blueprint: string) {
  return linkOptions({ to: '/builder/data-model/$blueprint/migrate-data', params: { blueprint } });
}

export function permissionsAddress(blueprint: string) {
  return linkOptions({ to: '/builder/data-model/$blueprint/permissions', params: { blueprint } });
}
