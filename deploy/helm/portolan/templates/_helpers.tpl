{{- define "portolan.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "portolan.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "portolan.labels" -}}
{{ include "portolan.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "portolan.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Sentences for what the schema cannot say. */}}
{{- define "portolan.check" -}}
{{- if not .Values.publicUrl }}{{ fail "publicUrl is required: the address that people use, for example https://portal.example.com" }}{{ end }}
{{- if not .Values.secret.name }}{{ fail "secret.name is required: make a Secret with the keys database-url, master-key, operator-token, client-secret and admin-password, and name it here" }}{{ end }}
{{- $web := .Values.web.replicas | int }}
{{- if .Values.autoscaling.enabled }}{{ $web = .Values.autoscaling.maxReplicas | int }}{{ end }}
{{- $worker := ternary (.Values.worker.replicas | int) 0 .Values.worker.enabled }}
{{- $wanted := mul (add $web $worker) (add (.Values.database.poolSize | int) 2) }}
{{- $allowed := div (mul (.Values.database.maxConnections | int) 8) 10 }}
{{- if and (eq .Values.database.pooler "none") (gt $wanted $allowed) }}{{ fail (printf "%d processes may take %d connections, more than 80 %% of database.maxConnections (%d): lower the replicas or database.poolSize, or raise max_connections and say so here" (add $web $worker) $wanted (.Values.database.maxConnections | int)) }}{{ end }}
{{- end }}

{{/* What every pod is told: (dict "root" $ "role" "web") */}}
{{- define "portolan.environment" -}}
{{- $root := .root -}}
- { name: PORTOLAN_ROLE, value: {{ .role }} }
- { name: HOST, value: "0.0.0.0" }
- { name: PORT, value: "3000" }
- { name: PORTOLAN_METRICS_PORT, value: "3001" }
- { name: PORTOLAN_DATA_DIR, value: /data }
- { name: PORTOLAN_PUBLIC_URL, value: {{ $root.Values.publicUrl | quote }} }
- { name: PORTOLAN_DRAIN_SECONDS, value: {{ $root.Values.drainSeconds | quote }} }
- { name: PORTOLAN_CLIENT_ID, value: {{ $root.Values.first.clientId | quote }} }
- { name: PORTOLAN_ADMIN_EMAIL, value: {{ $root.Values.first.adminEmail | quote }} }
- { name: PORTOLAN_DEMO, value: {{ $root.Values.first.demo | quote }} }
- { name: DATABASE_POOL_SIZE, value: {{ $root.Values.database.poolSize | quote }} }
- { name: DATABASE_POOLER, value: {{ $root.Values.database.pooler }} }
- { name: DATABASE_URL_FILE, value: /run/secrets/portolan/database-url }
{{- if eq $root.Values.database.pooler "transaction" }}
- { name: DATABASE_DIRECT_URL_FILE, value: /run/secrets/portolan/database-direct-url }
{{- end }}
- { name: PORTOLAN_MASTER_KEY_FILE, value: /run/secrets/portolan/master-key }
- { name: PORTOLAN_OPERATOR_TOKEN_FILE, value: /run/secrets/portolan/operator-token }
- { name: PORTOLAN_CLIENT_SECRET_FILE, value: /run/secrets/portolan/client-secret }
- { name: PORTOLAN_ADMIN_PASSWORD_FILE, value: /run/secrets/portolan/admin-password }
{{- range $name, $key := $root.Values.secret.more }}
- { name: {{ $name }}_FILE, value: {{ printf "/run/secrets/portolan/%s" $key | quote }} }
{{- end }}
{{- range $name, $value := $root.Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* The pod of every role: (dict "root" $ "role" "web" "component" "web" "resources" … "probes" the port that they ask, or none) */}}
{{- define "portolan.pod" -}}
{{- $root := .root -}}
metadata:
  labels:
    {{- include "portolan.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
    {{- with $root.Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with $root.Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  {{- if ne .component "migrate" }}
  serviceAccountName: {{ include "portolan.name" $root }}
  {{- end }}
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  {{- /* no preStop: SIGTERM drains by itself, and the listener stays open for drainSeconds; a hook sends neither POST nor a token */}}
  terminationGracePeriodSeconds: {{ add $root.Values.drainSeconds 30 }}
  {{- if .restartPolicy }}
  restartPolicy: {{ .restartPolicy }}
  {{- else }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "portolan.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .component }}
  {{- end }}
  {{- with $root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: portolan
      image: {{ include "portolan.image" $root | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      {{- with .command }}
      command: {{- toYaml . | nindent 8 }}
      {{- end }}
      env:
        {{- include "portolan.environment" . | nindent 8 }}
        {{- with .more }}{{ toYaml . | nindent 8 }}{{ end }}
      {{- with .probes }}
      ports:
        {{- if eq . "http" }}
        - { name: http, containerPort: 3000 }
        {{- end }}
        - { name: metrics, containerPort: 3001 }
      livenessProbe: { httpGet: { path: /health, port: {{ . }} }, periodSeconds: 10, timeoutSeconds: 3 }
      readinessProbe: { httpGet: { path: /ready, port: {{ . }} }, periodSeconds: 5, timeoutSeconds: 3 }
      startupProbe: { httpGet: { path: /ready, port: {{ . }} }, periodSeconds: 2, failureThreshold: 60 }
      {{- end }}
      resources: {{- toYaml .resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: secrets, mountPath: /run/secrets/portolan, readOnly: true }
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: secrets
      secret: { secretName: {{ $root.Values.secret.name | quote }}, defaultMode: 0440 }
    - { name: data, emptyDir: {} }
    - { name: tmp, emptyDir: {} }
{{- end }}
