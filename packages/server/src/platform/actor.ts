import { createSecretScope, type SecretScope } from './secrets/secret-scope.ts';
import type { TextsRead } from './texts-read.ts';

/** The identity and rights a request, job or tool call acts with. Built by `identity`; never widened afterwards. */
export interface Actor {
  readonly orgId: string;
  /** How the organization shows teams: by title in `legacy` and `beta` values, by identifier in `blueprints`. */
  readonly model: 'legacy' | 'beta' | 'blueprints';
  readonly kind: 'machine' | 'person' | 'system';
  /** What `createdBy` and `updatedBy` show: a client id, a user's identifier, or `system`. */
  readonly id: string;
  /** The identifier of the person's `_user` entity; absent for machines. */
  readonly userId?: string;
  /** `Admin`, `Member`, and `<blueprint>-moderator` for each moderated blueprint. */
  readonly roles: readonly string[];
  /** Surrogate keys of the teams the person belongs to. */
  readonly teamKeys: readonly string[];
  /** The credential or API token that the request was made with; absent where none was needed. */
  readonly credentialId?: string;
  /** Why they have fewer rights than their credential, as a sentence for the refusal. */
  readonly limitedBy?: string;
  /** What the credential is restricted to; absent without restriction. Checked where requests and tool calls come in. */
  readonly scopes?: readonly string[];
  /** Set while acting for the organization's identity provider: only then may managed names and memberships change. */
  readonly provisioner?: 'sso' | 'scim';
  /** The installation that the credential was made for, and the only one it may report on; absent for all others. */
  readonly boundTo?: string;
  /**
   * The author of what it brings, if an administrator trusts it. Set only where the platform knows it by its own
   * credential, its signed deliveries, or because it reads for it.
   */
  readonly trustedAs?: string;
  /** The blueprints whose entities it may touch; absent without restriction. Rights and scopes narrow it further. */
  readonly reach?: EntityReach;
  /** The `User-Agent` of the request: becomes `$datasource` of what it writes. */
  readonly datasource: string;
  /** The action run on whose behalf the request was made (`run_id`); the journal notes it with what is written. */
  readonly runId?: string;
  /** The webhook, and its delivery, that the platform acts for; the journal notes both. */
  readonly webhook?: { readonly identifier: string; readonly deliveryId: string };
  /** Set when a person tries out a mapping; otherwise `toClientKind` derives it. */
  readonly writesAs?: ClientKind;
  /** Whose authority applies when something they saved acts later in another's name: a run, a webhook. */
  readonly standsBehind?: { readonly kind: Actor['kind']; readonly id: string };
  /** Length of the chain of runs that led to the request; absent if a person or program began. */
  readonly depth?: number;
  /** Bulk work: yields to interactive requests before each of its statements. */
  readonly givesWay?: boolean;
  readonly origin: 'API' | 'UI' | 'MCP' | 'AI' | 'AUTOMATION' | 'MIGRATION' | 'SYSTEM';
  /** Authors of the text that led to what is written, beside the actor: what an assistant had read. */
  readonly carriedAuthors?: readonly string[];
  /** Collects the authors of the text that is shown to this actor; set while an assistant's tool reads for it. */
  readonly textsRead?: TextsRead;
  /** Secrets opened for this actor's work; everything stored or shown is masked with them. */
  readonly opened?: SecretScope;
}

export function openedFor(actor: Actor): SecretScope {
  return actor.opened ?? createSecretScope();
}

/** What a client that was installed for some blueprints may touch of entities. */
export interface EntityReach {
  /** Blueprints that its mapping writes. */
  readonly written: ReadonlySet<string>;
  /** Targets of their relations: read, and created bare. */
  readonly related: ReadonlySet<string>;
  /** Whether the mapping computes names of blueprints, so that it may write any that is not a system blueprint. */
  readonly isOpen: boolean;
}

export function isAdmin(actor: Actor): boolean {
  return actor.roles.includes('Admin');
}

/** Whether the actor may do everything with every entity, so that no rights need to be looked at. */
export function isUnlimited(actor: Actor): boolean {
  return isAdmin(actor) && actor.reach === undefined;
}

/** The platform acting for itself within one organization; the rules for people do not apply to its writes. */
export function systemActor(orgId: string, model: Actor['model'] = 'blueprints'): Actor {
  return {
    orgId,
    model,
    kind: 'system',
    id: 'portolan',
    roles: ['Admin'],
    teamKeys: [],
    datasource: 'portolan',
    origin: 'SYSTEM',
  };
}

/**
 * Who writes entities: a program with its own mapping, a webhook mapped here, or somebody who means every value as
 * written.
 */
export type ClientKind = 'integration' | 'webhook' | 'direct';
