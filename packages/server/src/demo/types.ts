/** Shapes of the demo organization, as they travel over the API. */

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export type SearchRule = {
  property?: JsonValue;
  operator: string;
  value?: JsonValue;
  [key: string]: JsonValue | undefined;
};
export type SearchQuery = { combinator: 'and' | 'or'; rules: (SearchRule | SearchQuery)[] };

export type PropertyType = 'string' | 'number' | 'boolean' | 'object' | 'array';
export type SchemaProperty = {
  type: PropertyType;
  title?: string;
  description?: string;
  icon?: string;
  format?: string;
  spec?: string;
  enum?: (string | number)[];
  enumColors?: Record<string, string>;
  items?: { type: PropertyType; format?: string; enum?: string[]; pattern?: string };
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  uniqueItems?: boolean;
  default?: JsonValue;
  properties?: JsonObject;
  patternProperties?: JsonObject;
  additionalProperties?: boolean;
  required?: string[];
};

export type Relation = { title: string; target: string; required: boolean; many: boolean; description?: string };
export type MirrorProperty = { title: string; path: string };
export type CalculationProperty = {
  title: string;
  description?: string;
  calculation: string;
  type: PropertyType;
  format?: string;
  colorized?: boolean;
  colors?: Record<string, string>;
};
export type AggregationProperty = {
  title: string;
  description?: string;
  type: 'number';
  target: string;
  calculationSpec: Record<string, string>;
  query?: SearchQuery;
  pathFilter?: { path: string[]; fromBlueprint?: string }[];
};

type BlueprintExtras = {
  relations: Record<string, Relation>;
  mirrorProperties: Record<string, MirrorProperty>;
  calculationProperties: Record<string, CalculationProperty>;
  aggregationProperties: Record<string, AggregationProperty>;
};

/** The body of `POST /v1/blueprints`. */
export type BlueprintBody = BlueprintExtras & {
  identifier: string;
  title: string;
  icon: string;
  description: string;
  schema: { properties: Record<string, SchemaProperty>; required: string[] };
  ownership?: { type: 'Direct'; title?: string } | { type: 'Inherited'; path: string; title?: string };
};

/** What the organization adds to a system blueprint that already exists (`PATCH /v1/blueprints/{identifier}`). */
export type SystemBlueprintExtension = BlueprintExtras & {
  identifier: '_user' | '_team';
  schema: { properties: Record<string, SchemaProperty> };
};

export type DemoUser = {
  /** The e-mail address. */
  identifier: string;
  title: string;
  status: 'Staged' | 'Invited' | 'Active' | 'Disabled';
  role: 'Admin' | 'Member';
  type: 'Standard' | 'Service Account';
  teams: string[];
  properties: { costCentre: string | null };
  relations: { manager: string | null };
};

export type DemoTeam = {
  identifier: string;
  title: string;
  description: string;
  relations: { parent: string | null };
};

export type RelationValue = string | string[] | SearchQuery | null;
export type DemoEntity = {
  blueprint: string;
  identifier: string;
  title?: string;
  icon?: string;
  team?: string[];
  properties: JsonObject;
  relations: Record<string, RelationValue>;
  /** The user agent that wrote the entity; absent means a person in the portal. */
  datasource?: string;
};

export type ScorecardCondition = {
  property?: string;
  relation?: string;
  operator: string;
  value?: string | number | string[];
};
export type ConditionGroup = { combinator: 'and' | 'or'; conditions: ScorecardCondition[] };
export type ScorecardBody = {
  identifier: string;
  title: string;
  filter?: ConditionGroup;
  levels?: { title: string; color: string }[];
  rules: { identifier: string; title: string; description?: string; level: string; query: ConditionGroup }[];
};

export type InvocationMethod = { type: string; [key: string]: JsonValue };
export type SelfServiceTrigger = {
  type: 'self-service';
  operation: 'CREATE' | 'DAY-2' | 'DELETE';
  blueprintIdentifier?: string;
  userInputs: JsonObject;
  condition?: SearchQuery & { type: 'SEARCH' };
  actionCardButtonText?: string;
  executeActionButtonText?: string;
};
export type AutomationTrigger = {
  type: 'automation';
  event: { type: string; blueprintIdentifier?: string; propertyIdentifier?: string; actionIdentifier?: string };
  condition?: { type: 'JQ'; expressions: string[]; combinator: 'and' | 'or' };
};
type ActionCommon = {
  identifier: string;
  title: string;
  icon: string;
  description: string;
  invocationMethod: InvocationMethod;
};
export type ActionBody = ActionCommon & {
  trigger: SelfServiceTrigger;
  requiredApproval?: boolean | { type: 'ANY' | 'ALL' };
  approvalNotification?: { type: 'webhook'; url: string; format?: 'json' | 'slack' } | { type: 'email' };
  allowAnyoneToViewRuns?: boolean;
};
export type AutomationBody = ActionCommon & { trigger: AutomationTrigger; publish: boolean };

export type PermissionPolicy = { queries: Record<string, SearchQuery>; conditions: string[] };
export type PermissionBlock = { users?: string[]; roles?: string[]; teams?: string[]; ownedByTeam?: boolean };
export type ActionPermissions = {
  execute?: PermissionBlock & { policy?: PermissionPolicy };
  approve?: PermissionBlock & { policy?: PermissionPolicy };
};

export type Widget = { id: string; type: string; [key: string]: JsonValue };
export type PageBody = {
  identifier: string;
  type: 'blueprint-entities' | 'dashboard' | 'home';
  title: string;
  icon: string;
  description?: string;
  blueprint?: string;
  parent?: string;
  after?: string;
  locked?: boolean;
  visibility?: 'private';
  widgets: Widget[];
  pageFilters?: { identifier: string; title: string; query: SearchQuery & { blueprint?: string } }[];
};
/** A page with what the loader needs beside the body: who saved it and who may read it. */
export type DemoPage = {
  page: PageBody;
  createdBy?: string;
  read?: { users: string[]; roles: string[]; teams: string[] };
};
export type SidebarFolder = { identifier: string; title: string };

export type DemoRun = {
  id: string;
  action: string;
  status: 'IN_PROGRESS' | 'SUCCESS' | 'FAILURE' | 'WAITING_FOR_APPROVAL' | 'DECLINED';
  statusLabel?: string;
  entity?: { blueprint: string; identifier: string };
  properties: JsonObject;
  source: 'UI' | 'API' | 'AUTOMATION';
  link: string[];
  summary?: string;
  approval?: { state: 'APPROVED' | 'DECLINED'; userId: string; description: string };
  /** Null for runs that the organization itself started. */
  createdBy: string | null;
  createdAt: string;
  endedAt: string | null;
  logs: string[];
};

export type DemoOrganization = {
  name: string;
  users: DemoUser[];
  teams: DemoTeam[];
  systemBlueprints: SystemBlueprintExtension[];
  blueprints: BlueprintBody[];
  entities: DemoEntity[];
  agents: DemoEntity[];
  invocations: DemoEntity[];
  scorecards: { blueprint: string; scorecard: ScorecardBody }[];
  actions: ActionBody[];
  actionPermissions: Record<string, ActionPermissions>;
  blueprintPermissions: Record<string, { register: PermissionBlock }>;
  automations: AutomationBody[];
  folders: SidebarFolder[];
  pages: DemoPage[];
  runs: DemoRun[];
};
