import type { JsonObject } from './json.ts';

/** An entity as the catalog answers it. */
export interface ExportedEntity {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string | null;
  readonly team: readonly string[];
  readonly properties: JsonObject;
  readonly relations: JsonObject;
}
