import type { SealedColumn } from '../identity/index.ts';
import { sourceSecretPurpose } from './sources/source-secrets.ts';
import { sourceEventPurpose } from './syncs/hooks.ts';

export const sourceSealedColumns: readonly SealedColumn[] = [
  { table: 'sources', column: 'secrets', purpose: () => sourceSecretPurpose },
  { table: 'sources', column: 'webhook', purpose: () => sourceEventPurpose },
];
