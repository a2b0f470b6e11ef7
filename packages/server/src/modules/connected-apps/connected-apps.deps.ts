import type { Actor } from '../../platform/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { ToolDeclaration } from '../../platform/tools/tool.ts';
import type { UnitOfWork } from '../../platform/unit-of-work.ts';
import type { Limiter } from '../identity/index.ts';
import type { ClientDocuments } from './oauth/client-documents.ts';
import type { Registrations } from './oauth/registrations.ts';

export interface ConnectedAppsOptions {
  readonly database: Database;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** For the documents that apps publish about themselves. */
  readonly outgoing: Pick<Outgoing, 'send'>;
  /** 32 bytes; the key of registrations is derived from it. */
  readonly masterKey: Buffer;
  /** The address people use: the issuer of tokens, and the beginning of the address where they are accepted. */
  readonly publicUrl: () => string;
  /** The tools that a person could use over MCP now. */
  readonly toolsOf: (actor: Actor) => Promise<readonly ToolDeclaration[]>;
}

export interface ConnectedAppsDeps extends ConnectedAppsOptions {
  readonly registrations: Registrations;
  readonly documents: ClientDocuments;
  /** Limits registrations per address. */
  readonly registering: Limiter;
  /** Limits exchanges of codes and tokens per address. */
  readonly exchanging: Limiter;
}
