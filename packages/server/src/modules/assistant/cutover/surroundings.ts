import type { Reader } from '../../../platform/db/database.ts';
import type { Work } from '../../../platform/unit-of-work.ts';

export interface AgentWidget {
  readonly page: string;
  readonly widget: string;
  readonly agent: string | null;
  readonly isOn: boolean;
}

export interface WebhookAddress {
  readonly action: string;
  readonly isAutomation: boolean;
  readonly url: string;
}

/** What the cutover needs from modules above this one, handed in by the composition root. */
export interface CutoverSurroundings {
  listAgentWidgets(reader: Reader, orgId: string): Promise<readonly AgentWidget[]>;
  /** Switches on every agent widget that is off, and returns those. */
  switchAgentWidgets(work: Work): Promise<readonly AgentWidget[]>;
  listWebhookAddresses(reader: Reader, orgId: string): Promise<readonly WebhookAddress[]>;
  listActionIdentifiers(reader: Reader, orgId: string): Promise<ReadonlySet<string>>;
}
