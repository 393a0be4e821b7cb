// Fault: the search remembers nothing, so every pile doubles its work.
#include <bits/stdc++.h>
using namespace std;

bool stoneGame(vector<int>& piles) {
    function<int(int, int)> lead = [&](int left, int right) -> int {
        if (left > right) return 0;
        return max(piles[left] - lead(left + 1, right), piles[right] - lead(left, right - 1));
    };
    return lead(0, (int)piles.size() - 1) > 0;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> piles(n);
    for (int& value : piles) cin >> value;
    cout << boolalpha << stoneGame(piles) << "\n";
}
