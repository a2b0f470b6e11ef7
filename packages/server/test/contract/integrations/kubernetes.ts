import { counted, equals, type Integration, number, text, when } from './integration.ts';

/** Clusters, namespaces, workloads, pods: nested relations, lists of relations, texts made of objects. */
export const kubernetes: Integration = {
  name: 'Kubernetes',
  blueprints: [
    {
      identifier: 'k8sCluster',
      title: 'Cluster',
      icon: 'Cluster',
      description: '',
      schema: { properties: {}, required: [] },
      relations: {},
      mirrorProperties: {},
      calculationProperties: {},
      aggregationProperties: {
        unhealthy: counted('Unhealthy workloads', 'k8sWorkload', [equals('isHealthy', 'Unhealthy')], {
          pathFilter: [{ path: ['Namespace', 'Cluster'], fromBlueprint: 'k8sWorkload' }],
        }),
      },
    },
    {
      identifier: 'k8sNamespace',
      title: 'Namespace',
      schema: { properties: { labels: { type: 'object' }, creationTimestamp: when }, required: [] },
      relations: { Cluster: { title: 'Cluster', target: 'k8sCluster' } },
    },
    {
      identifier: 'k8sWorkload',
      title: 'Workload',
      schema: {
        properties: {
          kind: { type: 'string', enum: ['Deployment', 'StatefulSet', 'DaemonSet', 'Rollout'] },
          replicas: number,
          availableReplicas: number,
          labels: { type: 'object' },
          containers: { type: 'array', items: { type: 'object' } },
          strategyConfig: { type: 'object' },
          isHealthy: {
            type: 'string',
            enum: ['Healthy', 'Unhealthy'],
            enumColors: { Healthy: 'green', Unhealthy: 'red' },
          },
        },
        required: [],
      },
      relations: { Namespace: { title: 'Namespace', target: 'k8sNamespace' } },
      mirrorProperties: {
        Cluster: { title: 'Cluster', path: 'Namespace.Cluster.$title' },
        namespaceLabels: { identifier: 'namespaceLabels', title: 'Labels', path: 'Namespace.labels' },
      },
      calculationProperties: {
        images: { type: 'array', calculation: '[.properties.containers[]?.image] | unique' },
        latest: { type: 'boolean', calculation: '[.properties.containers[]?.image | test(":latest$|^[^:]+$")] | any' },
        partOf: { type: 'string', calculation: '.properties.labels["app.kubernetes.io/part-of"] // "none"' },
        missing: { type: 'number', calculation: '(.properties.replicas // 0) - (.properties.availableReplicas // 0)' },
      },
    },
    {
      identifier: 'k8sPod',
      title: 'Pod',
      schema: { properties: { phase: text, restarts: number }, required: [] },
      relations: {
        workload: { title: 'Workload', target: 'k8sWorkload' },
        volumes: { target: 'k8sNamespace', many: true, required: false },
      },
      mirrorProperties: {
        cluster: { path: 'workload.Namespace.Cluster.$title' },
        clusterAgain: { path: 'workload.Cluster' },
        volumeTitles: { path: 'volumes.$title' },
        volumeClusters: { path: 'volumes.Cluster.$identifier' },
      },
    },
  ],
  entities: [
    ['k8sCluster', { identifier: 'eu-1', title: 'Europe 1' }],
    ['k8sNamespace', { identifier: 'kube-system-eu-1', title: 'kube-system', relations: { Cluster: 'eu-1' } }],
    [
      'k8sNamespace',
      { identifier: 'shop-eu-1', title: 'shop', properties: { labels: { tier: '1' } }, relations: { Cluster: 'eu-1' } },
    ],
    [
      'k8sWorkload',
      {
        identifier: 'web-Deployment-shop-eu-1',
        title: 'web',
        properties: {
          kind: 'Deployment',
          replicas: 3,
          availableReplicas: 1,
          isHealthy: 'Unhealthy',
          labels: { 'app.kubernetes.io/part-of': 'shop' },
          containers: [{ image: 'web:1.2' }, { image: 'proxy' }, { image: 'web:1.2' }],
        },
        relations: { Namespace: 'shop-eu-1' },
      },
    ],
    [
      'k8sWorkload',
      { identifier: 'dns', properties: { isHealthy: 'Healthy' }, relations: { Namespace: 'kube-system-eu-1' } },
    ],
    [
      'k8sPod',
      {
        identifier: 'web-1',
        properties: { phase: 'Running' },
        relations: { workload: 'web-Deployment-shop-eu-1', volumes: ['shop-eu-1', 'kube-system-eu-1'] },
      },
    ],
  ],
  expected: {
    'k8sCluster/eu-1': { unhealthy: 1 },
    'k8sWorkload/web-Deployment-shop-eu-1': {
      Cluster: 'Europe 1',
      namespaceLabels: { tier: '1' },
      images: ['proxy', 'web:1.2'],
      latest: true,
      partOf: 'shop',
      missing: 2,
    },
    'k8sWorkload/dns': { namespaceLabels: null, images: [], latest: false, partOf: 'none', missing: 0 },
    'k8sPod/web-1': {
      cluster: 'Europe 1',
      clusterAgain: 'Europe 1',
      volumeTitles: ['shop', 'kube-system'],
      volumeClusters: ['eu-1', 'eu-1'],
    },
  },
};
