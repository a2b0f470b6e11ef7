export { type DemoRow, findDemo, holdOrganization, lockDemo } from './demo.store.ts';
export { noteOldWriter } from './old-writers.store.ts';
export {
  findOrganization,
  findSettings,
  insertOrganization,
  listOrganizationRows,
  lockEmptyInstallation,
  lockOrganization,
  type OrganizationSettings,
  type OwnOrganization,
  updateOrganizationRow,
  updateSettingsRow,
} from './organization.store.ts';
export {
  type CutoverSetting,
  type CutoverStage,
  currentCutover,
  cutoverStart,
  effectiveQuotas,
  type Organization,
  type OrganizationModel,
  type PlanName,
  presentOrganization,
  type QuotaSetting,
  type Quotas,
  seatLimit,
} from './organization.ts';
export { holdModel, holdTeams } from './organization-model.ts';
export {
  beginRemoval,
  deleteOrganizationRows,
  deleteRemovedRows,
  forgetRemoved,
  listRemoved,
  wasRemoved,
} from './removal.store.ts';
export {
  endTrust,
  isTrustedSource,
  listTrustedSources,
  replaceTrustedSources,
  type TrustedSource,
} from './trusted-sources.store.ts';
