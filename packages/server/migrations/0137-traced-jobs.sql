-- phase: expand
-- Where a job was enqueued, as W3C's trace context writes it: the span of its run links to it. Null where nothing is traced.

alter table jobs add column traceparent text;
