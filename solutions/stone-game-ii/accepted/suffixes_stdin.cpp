// The most stones from each pile on, for each M: all that is left, less the least the opponent can be held to.
#include <bits/stdc++.h>
using namespace std;

int stoneGameII(vector<int>& piles) {
    int n = piles.size();
    vector<vector<int>> most(n + 1, vector<int>(n + 1, 0));
    int rest = 0;
    for (int i = n - 1; i >= 0; --i) {
        rest += piles[i];
        for (int m = 1; m <= n; ++m) {
            int opponent = INT_MAX;
            for (int x = 1; x <= 2 * m && i + x <= n; ++x) opponent = min(opponent, most[i + x][max(m, x)]);
            most[i][m] = rest - opponent;
        }
    }
    return most[0][1];
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> piles(n);
    for (int& value : piles) cin >> value;
    cout << stoneGameII(piles) << "\n";
}
