import type { Reader } from '../../../platform/db/database.ts';
import type { Work } from '../../../platform/unit-of-work.ts';

/** A widget through which people ask an agent. */
export interface AgentWidget {
  readonly page: string;
  readonly widget: string;
  readonly agent: string | null;
  readonly isOn: boolean;
}

/** An action or automation that calls an address. */
export interface WebhookAddress {
  readonly action: string;
  readonly isAutomation: boolean;
  readonly url: string;
}

/** What the cutover needs of modules that this one does not know; the composition root hands it in. */
export interface CutoverSurroundings {
  listAgentWidgets(reader: Reader, orgId: string): Promise<readonly AgentWidget[]>;
  /** Turns every agent widget on that is off, and answers those. */
  switchAgentWidgets(work: Work): Promise<readonly AgentWidget[]>;
  listWebhookAddresses(reader: Reader, orgId: string): Promise<readonly WebhookAddress[]>;
  listActionIdentifiers(reader: Reader, orgId: string): Promise<ReadonlySet<string>>;
}
