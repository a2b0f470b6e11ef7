/** The level of each production service on `production_readiness`: computed naively once, and by the catalog since. */
export const readinessLevels = {
  'geo.tiles': 'Basic',
  'customer-portal': 'Bronze',
  'rate-engine': 'Bronze',
  'eta+forecast': 'Silver',
  identity: 'Silver',
  invoicing: 'Silver',
  'route-planner': 'Silver',
  'shipment-tracking': 'Silver',
  'telemetry-ingest': 'Silver',
  'customs-declarations': 'Gold',
  'event-bus': 'Gold',
  'sanctions-screening': 'Gold',
};
