export {
  evaluateForm,
  type FormBody,
  type FormState,
  type FormTest,
  getRunDecision,
  type InputState,
  type RunDecision,
  type TestFormBody,
  testForm,
} from './action-forms.ts';
export { type ActionInput, type JqQuery, jqQuery, type UserInputs } from './action-inputs.ts';
export { type ActionPolicy, actionPolicy, type TemplatedQuery } from './action-policy.ts';
export {
  type ActionRun,
  type ActionRunLog,
  type ApprovalBody,
  acknowledgeRun,
  addRunLog,
  addRunResponse,
  claimRuns,
  type DraftBody,
  decideRun,
  editDraft,
  getRun,
  listAffectedEntities,
  listApprovers,
  listRunLogs,
  listRuns,
  type ReportRunBody,
  type RunDraft,
  type RunLogBody,
  type RunStatus,
  reportRun,
  rerunRun,
  type StartRunBody,
  startRun,
} from './action-runs.ts';
export {
  type Action,
  type ActionBody,
  type ActionGrantBody,
  type ActionPermissions,
  type ActionPermissionsBody,
  type AutomationEventType,
  type AutomationTrigger,
  actionBody,
  actionPermissionsBody,
  createAction,
  deleteAction,
  getAction,
  getActionPermissions,
  listActions,
  patchActionPermissions,
  replaceAction,
  type SelfServiceTrigger,
} from './actions.ts';
export type { AiUsageFigures } from './ai-usage.ts';
export {
  type AggregateFigureBody,
  aggregateEntities,
  aggregateOverTime,
  type CountOverTimeBody,
  type CountValuesBody,
  getPropertiesHistory,
  type OverTime,
  type OverTimeBody,
  type PropertiesHistoryBody,
  type PropertiesOverTimeBody,
  type TimeInterval,
  type TimeRange,
} from './analytics.ts';
export {
  defaultToolPatterns,
  type ExecutionMode,
  type InvokeEndpoint,
  type InvokeRequest,
  invokeLimits,
  type ParsedInvokeBody,
  parseExecutionMode,
  parseInvokeBody,
} from './assistant.ts';
export { assistantNotBuiltOperations } from './assistant-not-built.ts';
export {
  cancelInvocation,
  cancelInvocationByPost,
  getAiLimits,
  getAiQuota,
  getAiUsage,
  getInvocation,
  getInvocationEvidence,
  invokeAgent,
  invokeAssistant,
  invokeRouter,
  listAiTools,
  listInvocations,
  streamInvocation,
} from './assistant-operations.ts';
export {
  type AuditPart,
  type AuditQuery,
  type AuditRecord,
  type AuditResource,
  auditParts,
  auditQuery,
  auditResources,
  getAuditLog,
} from './audit.ts';
export { createAccessToken } from './auth.ts';
export { type AutomationTest, type TestAutomationBody, testAutomation } from './automations.ts';
export {
  type BlueprintAction,
  type BlueprintActionBody,
  createBlueprintAction,
  deleteBlueprintAction,
  getBlueprintAction,
  listBlueprintActions,
  replaceBlueprintAction,
  replaceBlueprintActions,
} from './blueprint-actions.ts';
export {
  type BlueprintPermissions,
  type BlueprintPermissionsBody,
  blueprintPermissionsBody,
  type GrantBody,
  getBlueprintPermissions,
  patchBlueprintPermissions,
} from './blueprint-permissions.ts';
export {
  type Blueprint,
  type BlueprintBody,
  type BlueprintPatch,
  blueprintBody,
  blueprintEchoFields,
  blueprintPatch,
  createBlueprint,
  deleteBlueprint,
  getBlueprint,
  getSystemBlueprintStructure,
  listBlueprints,
  patchBlueprint,
  type Relation,
  renameMirror,
  renameProperty,
  renameRelation,
  replaceBlueprint,
  type SchemaProperty,
} from './blueprints.ts';
export {
  type ChangelogDestinationBody,
  createChangelogDestination,
  deleteChangelogDestination,
  listChangelogDestinations,
  replaceChangelogDestination,
} from './changelog-destinations.ts';
export {
  ApiError,
  type CallAnswer,
  type CallArguments,
  type CallInput,
  type Client,
  createClient,
} from './client.ts';
export {
  type ApiToken,
  type App,
  createApiToken,
  createApp,
  deleteApp,
  getPermissions,
  listApiTokens,
  listApps,
  listOrganizationTokens,
  renameApp,
  revokeApiToken,
  revokeOrganizationToken,
  rotateApiToken,
  rotateAppSecret,
  rotateCredentials,
  setAppPermissions,
} from './credentials.ts';
export {
  type CutoverBlocker,
  type CutoverReport,
  chatApplicationEvent,
  getCutover,
  getOrganizationCutover,
  rehearseCutover,
  simulateCutover,
} from './cutover.ts';
export {
  cancelDataMigration,
  type DataMigration,
  type DataMigrationMapping,
  type DataMigrationPreview,
  type DataMigrationStatus,
  dataMigrationMapping,
  getDataMigration,
  listDataMigrationErrors,
  listDataMigrations,
  rerunDataMigration,
  startDataMigration,
  undoDataMigration,
} from './data-migrations.ts';
export {
  bulkDeleteEntities,
  bulkUpsertEntities,
  countEntities,
  createEntity,
  deleteAllEntities,
  deleteEntity,
  type Entity,
  type EntityBody,
  type EntityChangeBody,
  type EntityReadQuery,
  type EntityWriteBody,
  entityBody,
  entityEchoFields,
  entityWriteBody,
  getEntity,
  listEntities,
  patchEntity,
  type RelationValue,
  replaceEntity,
} from './entities.ts';
export { type ErrorBody, type ErrorCode, errorCodes, type Issue } from './errors.ts';
export { type IdQuery, isIdQuery } from './id-query.ts';
export type {
  InvocationEvidence,
  InvocationRun,
  RunEvidence,
} from './invocation-answers.ts';
export type { InvocationMethod } from './invocation-method.ts';
export {
  type InvocationEvent,
  type InvocationEvents,
  type InvocationStatus,
  type InvocationUsage,
  type MonthlyQuotaUsage,
  type RateLimitUsage,
  type ReceivedInvocationEvent,
  readInvocationStream,
  streamLimits,
} from './invocation-stream.ts';
export {
  createEventDecoder,
  decodeEventStream,
  type ServerSentEvent,
} from './invocation-stream-decoder.ts';
export { isRecord, toRecord } from './json-value.ts';
export { followChanges, type LiveChange, type LiveEvents } from './live.ts';
export {
  type ConnectableProvider,
  connectableProviders,
  createLlmProvider,
  deleteLlmProvider,
  getLlmDefaults,
  getLlmProvider,
  type LlmOverrides,
  type LlmProviderConfig,
  listLlmProviders,
  llmDefaultsBody,
  llmProviderConfigs,
  putLlmDefaults,
  replaceLlmProvider,
} from './llm-providers.ts';
export { openApiDocument } from './openapi.ts';
export {
  type Operation,
  type OperationAnswer,
  type OperationClass,
  type OperationInput,
  onlyReads,
  operation,
  workClassOf,
} from './operation.ts';
export { type Operations, operations } from './operations.ts';
export {
  checkDerivedValues,
  createOrganization,
  cutoverStage,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  organizationModel,
  planName,
  updateOrganization,
} from './operator.ts';
export {
  createSecret,
  deleteSecret,
  getOwnOrganization,
  getSecret,
  listSecrets,
  patchOwnOrganization,
  patchSecret,
  replaceOwnOrganization,
} from './organization.ts';
export {
  explainPermission,
  type PermissionCheck,
  simulatePermissions,
} from './permission-explanations.ts';
export * from './portal.ts';
export { narrowScopes, scopeOf, scopes, scopesCover } from './scopes.ts';
export {
  createScorecard,
  defaultScorecardLevels,
  deleteScorecard,
  getScorecard,
  listAllScorecards,
  listScorecards,
  replaceScorecard,
  replaceScorecards,
  type Scorecard,
  type ScorecardBody,
  type ScorecardCondition,
  type ScorecardLevel,
  type ScorecardQuery,
  type ScorecardResult,
  scorecardBody,
} from './scorecards.ts';
export {
  groupBlueprintEntities,
  type SortKey,
  searchBlueprintEntities,
  searchByDatasource,
  searchEntities,
  topSearch,
} from './search.ts';
export {
  blueprintSearchQuery,
  type GraphRule,
  type RelationSearchRule,
  type SchemaRule,
  type ScorecardSearchRule,
  type SearchQuery,
  type SearchRule,
  searchQuery,
} from './search-query.ts';
export type {
  ContextValue,
  DatePreset,
  DateRange,
  PathHop,
  PathRef,
  Scalar,
} from './search-values.ts';
export { replaceAt, secretPaths } from './secret-fields.ts';
export {
  type ActionRecord,
  type BlueprintRecord,
  blueprintLine,
  type EntityRecord,
  entityKey,
  entityLine,
  type FolderRecord,
  type PageRecord,
  portalLine,
  readTransfer,
  type ScorecardRecord,
  shapeProblem,
  type TransferFile,
  type TransferProblem,
  TransferVersionError,
  transferHeader,
  writtenBody,
} from './transfer-file.ts';
export { listUnknownProperties, type UnknownBlueprintProperty } from './unknown-properties.ts';
export {
  acceptUsersAndTeamsSuggestions,
  applyUsersAndTeamsSuggestion,
  chooseForUsersAndTeams,
  getUsersAndTeams,
  planUsersAndTeams,
  rehearseUsersAndTeams,
  revertUsersAndTeamsSuggestion,
  startUsersAndTeams,
  type UsersAndTeamsAcceptance,
  type UsersAndTeamsAcceptances,
  type UsersAndTeamsAccess,
  type UsersAndTeamsChange,
  type UsersAndTeamsChoices,
  type UsersAndTeamsExpression,
  type UsersAndTeamsPlan,
  type UsersAndTeamsProblem,
  type UsersAndTeamsRehearsal,
  type UsersAndTeamsStage,
  type UsersAndTeamsStatus,
  type UsersAndTeamsSuggestion,
  type UsersAndTeamsVerification,
  undoUsersAndTeams,
  verifyUsersAndTeams,
} from './users-and-teams.ts';
export {
  entityIdentifier,
  userAddress,
} from './wire.ts';
