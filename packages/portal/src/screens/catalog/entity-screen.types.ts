import type { FieldEntity } from '../../parts/entities/fields.ts';

export interface ReadEntity {
  readonly entity: FieldEntity & { readonly updatedAt?: string | Date; readonly updatedBy?: string };
  /** Sent back with a change, to detect conflicting writes. */
  readonly version: string | undefined;
}
