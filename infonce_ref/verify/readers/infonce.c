/* Check an implementation of infonce: cc -std=c99 -O2 infonce.c -o infonce -lm && ./infonce infonce.json
   Put your own function in the place of `infonce`; infonce.py says what each line computes.
   It reads no JSON but this: a point is a line, and every list of numbers is flat. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, LINE = 1 << 20 };

static void infonce(const double *z, int n, int d, double tau, const double *weights, const double *keep,
                    double *value, double *dz, double *slope) {
  *value = *slope = 0;
  memset(dz, 0, sizeof *dz * n * d);
  for (int i = 0; i < n; i++) {
    int p = (i + n / 2) % n;
    int other[MOST];
    double gap[MOST], e[MOST], most = -INFINITY, others = 0;
    for (int j = 0; j < n; j++) {
      gap[j] = 0;
      for (int k = 0; k < d; k++) gap[j] += z[i * d + k] * (z[j * d + k] - z[p * d + k]) / tau;
      other[j] = j != p && (j == i || keep[i * n + j]);
      if (other[j] && gap[j] > most) most = gap[j];
    }
    for (int j = 0; j < n; j++) others += e[j] = other[j] ? exp(gap[j] - most) : 0;
    double excess = most + log1p(others - 1);
    double rest = excess > -700 ? 1 / (1 + exp(-excess)) : exp(excess); /* 1 - P */
    *value += weights[i] * (fmax(excess, 0) + log1p(exp(-fabs(excess))));
    for (int j = 0; j < n; j++) {
      double g = weights[i] * rest * e[j] / others;
      *slope -= g * gap[j] / tau;
      for (int k = 0; k < d; k++) {
        dz[i * d + k] += g * (z[j * d + k] - z[p * d + k]) / tau;
        dz[j * d + k] += g * z[i * d + k] / tau;
        dz[p * d + k] -= g * z[i * d + k] / tau;
      }
    }
  }
}

/* The numbers of the first list after the keys, one after another; their count, or -1. */
static int numbers(const char *at, const char *first, const char *second, const char *third, double *out) {
  const char *keys[] = {first, second, third};
  int count = 0;
  for (int k = 0; k < 3; k++)
    if (*keys[k] && !(at = strstr(at, keys[k]))) return -1;
  for (at = strchr(at, '[') + 1; *at != ']'; at += strspn(at, "\", ")) {
    char *end;
    if (*at == '"') at++;
    out[count++] = strtod(at, &end); /* hexadecimal or decimal */
    if (end == at || count == MOST) exit(2);
    at = end;
  }
  return count;
}

static int agrees(const char *part, const char *name, const double *got, int size) {
  static double exact[MOST], within[MOST];
  int good = numbers(part, name, "\"exact\"", "", exact) == size && numbers(part, name, "\"within\"", "", within) == size;
  for (int k = 0; k < size; k++) good = good && fabs(got[k] - exact[k]) <= within[k];
  return good;
}

int main(int argc, char **argv) {
  static char line[LINE];
  static double z[MOST], dz[MOST], weights[MOST], keep[MOST], shape[MOST];
  double tau, value, slope;
  int points = 0, good = 0, ended = 0;
  FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!file) return 2;
  while (fgets(line, LINE, file)) {
    ended |= !strncmp(line, "]}", 2);
    const char *inputs = strstr(line, "\"inputs\": "), *right = strstr(line, "\"value\": ");
    if (!inputs || !right || strncmp(line, "{\"label\"", 8)) continue; /* head and end of the file */
    int size = numbers(inputs, "\"z\"", "\"hex\"", "", z);
    numbers(inputs, "\"z\"", "\"shape\"", "", shape);
    numbers(inputs, "\"temperature\"", "\"hex\"", "", &tau);
    int n = (int)shape[0], d = (int)shape[1], ok;
    for (int i = 0; i < n; i++) weights[i] = strstr(line, "\"reduction\": \"sum\"") ? 1 : 1.0 / n;
    if (strstr(inputs, "\"upstream\"")) numbers(inputs, "\"upstream\"", "\"hex\"", "", weights);
    for (int k = 0; k < n * n; k++) keep[k] = 1;
    if (strstr(inputs, "\"keep\"")) numbers(inputs, "\"keep\"", "\"integers\"", "", keep);
    infonce(z, n, d, tau, weights, keep, &value, dz, &slope);
    const char *slopes = strstr(right, "\"gradients\"");
    ok = agrees(right, "\"value\"", &value, 1) & agrees(slopes, "\"z\"", dz, size);
    ok &= agrees(slopes, "\"temperature\"", &slope, 1);
    if (!ok) printf("differs: %.*s\n", (int)strcspn(line + 11, "\""), line + 11);
    points++, good += ok;
  }
  if (!points) puts("no point found: nothing was compared; each must be a line");
  else if (!ended) puts("the end of the file is missing: write it again");
  else printf("%d of %d points agree\n", good, points);
  return good < points || !points || !ended;
}
