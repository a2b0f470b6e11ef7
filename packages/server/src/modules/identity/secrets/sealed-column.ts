import { clientSecretPurpose } from './signing-secret.ts';
import { organizationSecretPurpose } from './write-secret.ts';

/** Where sealed values stand, and what each is sealed for: whoever seals them again has to know. */
export interface SealedColumn {
  readonly table: string;
  /** A text that is one sealed value, or JSON that has some in it. */
  readonly column: string;
  /** Of the values in a row, whose columns are given as text. */
  readonly purpose: (row: Readonly<Record<string, string | null>>) => string;
}

export const identitySealedColumns: readonly SealedColumn[] = [
  { table: 'credentials', column: 'sealed_secret', purpose: (row) => clientSecretPurpose(row['client_id'] ?? '') },
  { table: 'organization_secrets', column: 'sealed', purpose: (row) => organizationSecretPurpose(row['name'] ?? '') },
];
