import { type OpenMetricsContentType, type PrometheusContentType, Registry } from '@prometheus-io/client'

/** The metrics of an OpenMetrics registry in the text format of Prometheus, which has no exemplars. */
export async function prometheusText(register: Registry<OpenMetricsContentType>): Promise<string> {
  const metrics = (await register.getMetricsAsJSON()).map((metric) => ({
    ...metric,
    // Printing as OpenMetrics has removed this suffix from the name of the metric.
    ...(metric.type === 'counter' && { name: metric.name.replace(/(_total)?$/, '_total') }),
    // Each metric comes once, so there is nothing to add up.
    aggregator: 'first',
  }))
  return Registry.aggregate<PrometheusContentType>([metrics]).metrics()
}
