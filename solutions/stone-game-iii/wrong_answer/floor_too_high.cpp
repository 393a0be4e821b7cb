// Fault: the search for a best total starts at -3000, but a row of debts makes totals far below that.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> value(n), rest(n + 1, 0), total(n + 1, 0);
    for (int& v : value) std::cin >> v;
    for (int i = n - 1; i >= 0; --i) {
        rest[i] = rest[i + 1] + value[i];
        int best = -3000;
        for (int j = i + 1; j <= std::min(i + 3, n); ++j) best = std::max(best, rest[i] - total[j]);
        total[i] = best;
    }
    int lead = 2 * total[0] - rest[0];
    std::cout << (lead > 0 ? "Alice" : lead < 0 ? "Bob" : "Tie") << "\n";
}
