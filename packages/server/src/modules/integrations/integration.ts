import type { Integration } from '@portolan/contract/integrations';
import type { SavedAuthority } from '../accounts/index.ts';

/** Fields that clients write and the platform stores without reading them. */
export interface IntegrationDetails {
  readonly installationType?: string;
  readonly actionsProcessingEnabled?: boolean;
  readonly incrementalSyncEnabled?: boolean;
  readonly processingMode?: string;
  readonly createPortResourcesOrigin?: string;
  readonly arePortResourcesInitialized?: boolean;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly clientId?: string;
  readonly statusInfo?: unknown;
}

export interface StoredIntegration {
  readonly key: number;
  readonly id: string;
  readonly installationId: string;
  readonly title: string | null;
  readonly version: string | null;
  readonly appType: string | null;
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly changelogDestination: Readonly<Record<string, unknown>> | null;
  readonly details: IntegrationDetails;
  readonly resyncState: Readonly<Record<string, unknown>> | null;
  readonly resyncRequestId: string | null;
  readonly resyncRequestedAt: Date | null;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
  readonly updatedBy: string;
  /** Rights of the last author of the mapping; null if the mapping was last saved before rights were stored. */
  readonly authority: SavedAuthority | null;
}

/** Stands in for a missing type, because one client reads it without a check for null. */
const typeOfNone = 'CUSTOM';

/**
 * Presents an integration for the API. `config` and `changelogDestination` are exactly as written, including null,
 * because one client compares them with what it sent.
 */
export function presentIntegration(integration: StoredIntegration, orgId: string, publicUrl: string): Integration {
  const { id, installationId, appType, details } = integration;
  const { installationType, spec, clientId, statusInfo } = details;
  return {
    _id: id,
    _orgId: orgId,
    identifier: installationId,
    installationId,
    integrationType: integrationType(integration),
    installationAppType: appType,
    installationType: installationType ?? 'OnPrem',
    title: integration.title,
    version: integration.version,
    config: integration.config as Integration['config'],
    changelogDestination: integration.changelogDestination as Integration['changelogDestination'],
    actionsProcessingEnabled: details.actionsProcessingEnabled ?? false,
    incrementalSyncEnabled: details.incrementalSyncEnabled ?? false,
    processingMode: details.processingMode ?? 'ocean-core',
    createPortResourcesOrigin: details.createPortResourcesOrigin ?? null,
    arePortResourcesInitialized: details.arePortResourcesInitialized ?? false,
    resyncState: (integration.resyncState ?? {}) as Integration['resyncState'],
    logAttributes: { ingestId: id, ingestUrl: `${publicUrl}/v1/ingest/logs/${id}` },
    metricAttributes: { ingestId: id, ingestUrl: `${publicUrl}/v1/ingest/metrics/${id}` },
    ingestAttributes: { ingestUrl: `${publicUrl}/v1/ingest` },
    ...(spec ? { spec: spec as NonNullable<Integration['spec']> } : {}),
    ...(clientId === undefined ? {} : { clientId }),
    ...(statusInfo === undefined ? {} : { statusInfo: statusInfo as NonNullable<Integration['statusInfo']> }),
    createdAt: integration.createdAt.toISOString(),
    createdBy: integration.createdBy,
    updatedAt: integration.updatedAt.toISOString(),
    updatedBy: integration.updatedBy,
  };
}

/** Never null: one client reads it without a check. */
export function integrationType({ appType }: StoredIntegration): string {
  return appType || typeOfNone;
}
