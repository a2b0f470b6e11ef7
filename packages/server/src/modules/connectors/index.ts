export { connectorSealedColumns } from './open-peer.ts';
export { createConnectors } from './connectors.module.ts';
