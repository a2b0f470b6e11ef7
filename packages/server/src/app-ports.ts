import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/db/database.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { MessageBroker } from './platform/messages/message-broker.ts';
import type { Outgoing } from './platform/outgoing/outgoing.ts';
import type { Tracing } from './platform/telemetry/tracing.ts';

/** Everything live that the application stands on. */
export interface AppPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  /** How addresses that users enter are reached; whoever made it closes it. */
  readonly outgoing: Outgoing;
  /** Takes runs that agents and consumers execute; absent where the operator set up none. Whoever made it closes it. */
  readonly broker?: MessageBroker | undefined;
  /** Sends e-mail; absent where the operator set up none. */
  readonly mailer?: Mailer | undefined;
  /** Sends what requests and jobs do as spans; absent without a collector. */
  readonly tracing?: Tracing | undefined;
}
