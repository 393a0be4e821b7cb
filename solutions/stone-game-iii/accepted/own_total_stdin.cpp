// The best total of whoever moves at i: all that is left, less the least the opponent can be held to.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<long long> rest(n + 1, 0);
    for (int i = 0; i < n; ++i) std::cin >> rest[i];
    for (int i = n - 1; i >= 0; --i) rest[i] += rest[i + 1];

    std::vector<long long> total(n + 1, 0);
    for (int i = n - 1; i >= 0; --i) {
        auto first = total.begin() + i + 1;
        auto last = total.begin() + std::min(i + 4, n + 1);
        total[i] = rest[i] - *std::min_element(first, last);
    }

    long long alice = total[0], bob = rest[0] - total[0];
    std::cout << (alice > bob ? "Alice" : alice < bob ? "Bob" : "Tie") << '\n';
}
