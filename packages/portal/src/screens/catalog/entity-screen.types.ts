import type { FieldEntity } from '../../parts/entities/fields.ts';

export interface ReadEntity {
  readonly entity: FieldEntity & { readonly updatedAt?: string | Date; readonly updatedBy?: string };
  /** What a change names, so that it meets what was read. */
  readonly version: string | undefined;
}
