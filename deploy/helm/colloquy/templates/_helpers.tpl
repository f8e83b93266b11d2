{{/* Name of all objects of a release. */}}
{{- define "colloquy.fullname" -}}
{{- $default := ternary .Release.Name (printf "%s-colloquy" .Release.Name) (contains "colloquy" .Release.Name) -}}
{{- .Values.fullnameOverride | default $default | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{/* Labels by which objects select the pods of a release. */}}
{{- define "colloquy.selectorLabels" -}}
app.kubernetes.io/name: colloquy
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "colloquy.labels" -}}
{{ include "colloquy.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "colloquy.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Configuration of the container: `database.url` is in the Secret that databaseSecret names. */}}
{{- define "colloquy.environment" -}}
{{- $values := .root.Values -}}
env:
  {{- if $values.database.existingSecret }}
  - name: DATABASE_URL
    valueFrom:
      secretKeyRef:
        name: {{ $values.database.existingSecret }}
        key: {{ $values.database.existingSecretKey }}
  {{- end }}
  {{- with $values.publicUrl }}
  - name: PUBLIC_URL
    value: {{ . | quote }}
  {{- end }}
  {{- with $values.files.url }}
  - name: FILES_URL
    value: {{ . | quote }}
  {{- end }}
  {{- with $values.trustProxy }}
  - name: TRUST_PROXY
    value: {{ . | quote }}
  {{- end }}
  {{- range $name, $value := $values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ $values.existingSecret }}
  {{- if $values.database.url }}
  - secretRef:
      name: {{ .databaseSecret }}
  {{- end }}
{{- end }}

{{/* Where and as whom a pod runs. */}}
{{- define "colloquy.pod" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
volumes:
  - name: data
    {{- if .Values.files.claim }}
    persistentVolumeClaim:
      claimName: {{ .Values.files.claim }}
    {{- else }}
    emptyDir: {}
    {{- end }}
  - name: tmp
    emptyDir:
      medium: Memory
      sizeLimit: 64Mi
{{- end }}

{{/* The container of a pod, without what differs between the service and the migration. */}}
{{- define "colloquy.container" -}}
image: {{ include "colloquy.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
resources:
  {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end }}
