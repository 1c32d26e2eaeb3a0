#include "analyze/scaling_model.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

namespace pyrometer {
namespace {

constexpr std::size_t kTerms = 4;
constexpr std::size_t kFewestSamples = 4;
constexpr double kLargestError = 0.15;  // of points that were left out
constexpr double kWorthATerm = 0.8;     // what one more term must make of the error
constexpr double kPerfect = 1e-6;       // errors below are those of the arithmetic
constexpr double kExtrapolation = 4;

using Terms = std::array<double, kTerms>;
using Subset = unsigned;  // a bit per term

Terms terms_at(double count) { return {1, 1 / count, std::log2(count), count}; }

double dot(const Terms& a, const Terms& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kTerms; ++i) sum += a[i] * b[i];
  return sum;
}

std::size_t size_of(Subset subset) { return static_cast<std::size_t>(__builtin_popcount(subset)); }

// Solves a x = b by elimination with pivots; nothing when terms cannot be told apart.
std::optional<std::vector<double>> solve(std::vector<std::vector<double>> a,
                                         std::vector<double> b) {
  constexpr double kSingular = 1e-12;
  const std::size_t n = b.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::abs(a[row][column]) > std::abs(a[pivot][column])) pivot = row;
    }
    if (std::abs(a[pivot][column]) < kSingular) return std::nullopt;
    std::swap(a[pivot], a[column]);
    std::swap(b[pivot], b[column]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = a[row][column] / a[column][column];
      for (std::size_t k = column; k < n; ++k) a[row][k] -= factor * a[column][k];
      b[row] -= factor * b[column];
    }
  }
  std::vector<double> x(n);
  for (std::size_t row = n; row-- > 0;) {
    x[row] = b[row];
    for (std::size_t k = row + 1; k < n; ++k) x[row] -= a[row][k] * x[k];
    x[row] /= a[row][row];
  }
  return x;
}

// The least squares of the relative errors, with these terms alone. Columns are brought to the
// same length first, as 1/p and p lie far apart.
std::optional<Terms> fit_terms(std::span<const ScalingSample> samples, Subset subset) {
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < kTerms; ++i) {
    if (((subset >> i) & 1U) != 0) used.push_back(i);
  }
  Terms length{};
  for (const ScalingSample& sample : samples) {
    const Terms terms = terms_at(sample.count);
    for (std::size_t i = 0; i < kTerms; ++i) length[i] += std::pow(terms[i] / sample.time, 2);
  }
  for (double& value : length) value = value > 0 ? std::sqrt(value) : 1;
  std::vector<std::vector<double>> matrix(used.size(), std::vector<double>(used.size()));
  std::vector<double> right(used.size());
  for (const ScalingSample& sample : samples) {
    const Terms terms = terms_at(sample.count);
    for (std::size_t i = 0; i < used.size(); ++i) {
      const double row = terms[used[i]] / sample.time / length[used[i]];
      right[i] += row;  // the time relative to itself is 1
      for (std::size_t j = 0; j < used.size(); ++j) {
        matrix[i][j] += row * terms[used[j]] / sample.time / length[used[j]];
      }
    }
  }
  const auto solution = solve(std::move(matrix), std::move(right));
  if (!solution) return std::nullopt;
  Terms coefficients{};
  for (std::size_t i = 0; i < used.size(); ++i) {
    coefficients[used[i]] = (*solution)[i] / length[used[i]];
  }
  return coefficients;
}

double squared_error(std::span<const ScalingSample> samples, const Terms& coefficients) {
  double sum = 0;
  for (const ScalingSample& sample : samples) {
    sum += std::pow(dot(coefficients, terms_at(sample.count)) / sample.time - 1, 2);
  }
  return sum;
}

// Non-negative least squares within a set of terms: with so few, the best of all its subsets
// whose coefficients are none of them negative is the answer.
std::optional<Terms> fit_non_negative(std::span<const ScalingSample> samples, Subset allowed) {
  std::optional<Terms> best;
  double best_error = 0;
  for (Subset subset = 1; subset < (1U << kTerms); ++subset) {
    if ((subset & ~allowed) != 0) continue;
    const auto coefficients = fit_terms(samples, subset);
    if (!coefficients) continue;
    bool is_sound = true;
    for (const double value : *coefficients) is_sound = is_sound && value >= 0;
    if (!is_sound) continue;
    const double error = squared_error(samples, *coefficients);
    if (!best || error < best_error) {
      best = coefficients;
      best_error = error;
    }
  }
  return best;
}

// How well each point is told by a fit of the others: root mean square, relative.
std::optional<double> left_out_error(std::span<const ScalingSample> samples, Subset allowed) {
  double sum = 0;
  for (std::size_t out = 0; out < samples.size(); ++out) {
    std::vector<ScalingSample> others(samples.begin(), samples.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(out));
    const auto coefficients = fit_non_negative(others, allowed);
    if (!coefficients) return std::nullopt;
    sum += squared_error(samples.subspan(out, 1), *coefficients);
  }
  return std::sqrt(sum / static_cast<double>(samples.size()));
}

}  // namespace

double ScalingModel::time(double count) const {
  return dot({constant, parallel, logarithmic, linear}, terms_at(count));
}

std::optional<double> ScalingModel::fastest_count() const {
  // Where -parallel / p^2 + logarithmic / (p ln 2) + linear is zero.
  const double slope = logarithmic / std::log(2.0);
  if (slope == 0 && linear == 0) return std::nullopt;
  const double count =
      linear == 0 ? parallel / slope
                  : (std::sqrt(slope * slope + 4 * linear * parallel) - slope) / (2 * linear);
  if (count > largest_count) return std::nullopt;
  return std::max(1.0, count);
}

ScalingFit fit_scaling(std::span<const ScalingSample> samples) {
  std::vector<ScalingSample> sound;
  double largest = 0;
  for (const ScalingSample& sample : samples) {
    if (sample.time <= 0 || sample.count < 1) continue;
    sound.push_back(sample);
    largest = std::max(largest, sample.count);
  }
  if (sound.size() < kFewestSamples) {
    return {std::nullopt,
            fmt::format("there are {} counts, and a model needs {}", sound.size(), kFewestSamples)};
  }
  std::optional<Subset> best;
  double best_error = 0;
  // Smaller sets first, so that a term has to earn its place. Two points more than terms: one is
  // left out, and the others must not be met by construction.
  for (std::size_t size = 1; size <= std::min(kTerms, sound.size() - 2); ++size) {
    std::optional<Subset> best_of_size;
    double error_of_size = 0;
    for (Subset subset = 1; subset < (1U << kTerms); ++subset) {
      if (size_of(subset) != size) continue;
      const auto error = left_out_error(sound, subset);
      if (!error || (best_of_size && *error >= error_of_size)) continue;
      best_of_size = subset;
      error_of_size = *error;
    }
    const bool is_better =
        !best || (best_error > kPerfect && error_of_size < kWorthATerm * best_error);
    if (best_of_size && is_better) {
      best = best_of_size;
      best_error = error_of_size;
    }
  }
  if (!best) return {std::nullopt, "the counts are too much alike"};
  if (best_error > kLargestError) {
    return {std::nullopt,
            fmt::format("counts that are left out are missed by {:.0f} %", 100 * best_error)};
  }
  const auto coefficients = fit_non_negative(sound, *best);
  if (!coefficients) return {std::nullopt, "the counts are too much alike"};
  const auto& [constant, parallel, logarithmic, linear] = *coefficients;
  return {
      ScalingModel{constant, parallel, logarithmic, linear, best_error, kExtrapolation * largest},
      {}};
}

}  // namespace pyrometer
