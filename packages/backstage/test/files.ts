import type { CatalogFiles } from '../src/index.ts';

/** Files of a catalog as a test writes them. */
export function createFiles(texts: Readonly<Record<string, string>>): CatalogFiles {
  return { paths: Object.keys(texts), readText: async (path) => texts[path] };
}

export const shop = {
  'catalog-info.yaml': `apiVersion: backstage.io/v1alpha1
kind: Location
metadata:
  name: shop
spec:
  targets: [./systems/*.yaml, ./org.yaml, ./apis/orders.yaml, https://example.com/elsewhere.yaml]
`,
  'systems/shop.yaml': `apiVersion: backstage.io/v1alpha1
kind: Domain
metadata: {name: Commerce}
spec: {owner: group:default/leads}
---
apiVersion: backstage.io/v1alpha1
kind: System
metadata:
  name: checkout
  title: Checkout
spec: {owner: payments, domain: commerce}
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: cart
  description: Holds what people want to buy.
  tags: [typescript, tier-1]
  labels: {example.com/tier: "1"}
  annotations:
    backstage.io/source-location: url:https://git.example.com/shop/cart/
    example.com/pager: "42"
  links:
    - {url: "https://cart.example.com", title: Cart, icon: web}
    - {url: "not an address"}
  x-unknown: {deep: [1, {more: true}]}
spec:
  type: service
  lifecycle: production
  owner: payments
  system: checkout
  providesApis: [orders]
  dependsOn: [resource:db, component:absent]
  implementation: {replicas: 3}
---
apiVersion: backstage.io/v1alpha1
kind: Resource
metadata: {name: db}
spec:
  type: database
  owner: user:ada
  dependencyOf: [component:stock]
---
apiVersion: backstage.io/v1alpha1
kind: Component
metadata: {name: stock}
spec: {type: service, lifecycle: experimental, owner: payments, subcomponentOf: cart}
`,
  'org.yaml': `apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: leads}
spec: {type: department, children: [payments]}
---
apiVersion: backstage.io/v1alpha1
kind: Group
metadata: {name: payments}
spec:
  type: team
  profile: {displayName: Payments, email: payments@example.com}
  children: []
  members: [ada, grace]
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata: {name: ada}
spec:
  profile: {displayName: Ada Lovelace, email: Ada@example.com}
  memberOf: [leads]
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata: {name: grace}
spec: {memberOf: [payments]}
`,
  'apis/orders.yaml': `apiVersion: backstage.io/v1alpha1
kind: API
metadata: {name: orders}
spec:
  type: openapi
  lifecycle: production
  owner: payments
  definition:
    $text: ./orders.openapi.yaml
`,
  'apis/orders.openapi.yaml': `openapi: 3.0.0
info: {title: Orders, version: "1"}
paths: {}
`,
} as const;
