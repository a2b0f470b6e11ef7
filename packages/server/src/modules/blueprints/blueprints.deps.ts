import type { Database } from '../../platform/db/database.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { BlueprintListener, PageListener } from './blueprint-listener.ts';
import type { CompilePattern } from './entity-validator.ts';
import type { WriteBlueprintDeps } from './write-blueprint.ts';

export interface BlueprintsOptions {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly listener: BlueprintListener;
  readonly pageListener: PageListener;
  readonly compilePattern: CompilePattern;
}

export interface BlueprintsDeps extends BlueprintsOptions, WriteBlueprintDeps {}
